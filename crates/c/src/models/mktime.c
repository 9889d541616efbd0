#include <time.h>
extern long __nondet_long(void);
time_t mktime(struct tm *date)
{
    time_t seconds = __nondet_long();
    if (seconds != -1) {
        __unreach_date(date);
    }
    return seconds;
}
