#include <time.h>
extern long __unknown_long(void);
time_t mktime(struct tm *date)
{
    int year = date->tm_year;
    time_t seconds = __unknown_long();
    if (seconds != -1) {
        __unreach_date(date);
    } else {
        __unreach_errno();
    }
    return seconds;
}
