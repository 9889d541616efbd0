#include <time.h>
extern int __unknown_int(void);
static struct tm *__unreach_time(const time_t *time)
{
    static struct tm date;
    time_t seconds = *time;
    if (__unknown_int()) {
        __unreach_error();
        return (struct tm *)0;
    }
    __unreach_date(&date);
    return &date;
}
