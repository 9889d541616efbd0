#include <time.h>
extern int __unknown_int(void);
struct tm *localtime_r(const time_t *time, struct tm *date)
{
    time_t seconds = *time;
    if (__unknown_int()) {
        __unreach_error();
        return (struct tm *)0;
    }
    __unreach_date(date);
    return date;
}
