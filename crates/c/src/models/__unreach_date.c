#include <time.h>
extern int __unknown_int(void);
extern long __unknown_long(void);
static void __unreach_date(struct tm *date)
{
    date->tm_sec = __unknown_int();
    date->tm_min = __unknown_int();
    date->tm_hour = __unknown_int();
    date->tm_mday = __unknown_int();
    date->tm_mon = __unknown_int();
    date->tm_year = __unknown_int();
    date->tm_wday = __unknown_int();
    date->tm_yday = __unknown_int();
    date->tm_isdst = __unknown_int();
    date->tm_gmtoff = __unknown_long();
    date->tm_zone = "";
    __builtin_assume(date->tm_sec >= 0 && date->tm_sec <= 60);
    __builtin_assume(date->tm_min >= 0 && date->tm_min <= 59);
    __builtin_assume(date->tm_hour >= 0 && date->tm_hour <= 23);
    __builtin_assume(date->tm_mday >= 1 && date->tm_mday <= 31);
    __builtin_assume(date->tm_mon >= 0 && date->tm_mon <= 11);
    __builtin_assume(date->tm_wday >= 0 && date->tm_wday <= 6);
    __builtin_assume(date->tm_yday >= 0 && date->tm_yday <= 365);
}
