#include <time.h>
char *ctime(const time_t *time)
{
    struct tm date;
    time_t seconds = *time;
    __unreach_date(&date);
    return asctime(&date);
}
