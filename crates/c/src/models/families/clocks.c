//// nanosleep
#include <time.h>
extern long __nondet_long(void);
extern int __nondet_int(void);
int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    long seconds = wanted->tv_sec;
    long part = wanted->tv_nsec;
    int done = __unreach_done();
    if (done == 0) {
        __builtin_assume(seconds >= 0 && part >= 0 && part < 1000000000);
        return 0;
    }
    if (left && __nondet_int()) {
        left->tv_sec = __nondet_long();
        left->tv_nsec = __nondet_long();
        __builtin_assume(left->tv_sec >= 0 && left->tv_sec <= seconds && left->tv_nsec >= 0
                         && left->tv_nsec < 1000000000);
    }
    return -1;
}

//// clock_nanosleep
#include <time.h>
extern int __nondet_int(void);
extern long __nondet_long(void);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
    long seconds = wanted->tv_sec;
    int result = __nondet_int();
    __builtin_assume(result >= 0);
    if (result != 0 && left && flags == 0 && __nondet_int()) {
        left->tv_sec = __nondet_long();
        left->tv_nsec = __nondet_long();
        __builtin_assume(left->tv_sec >= 0 && left->tv_sec <= seconds && left->tv_nsec >= 0
                         && left->tv_nsec < 1000000000);
    }
    return result;
}

//// clock_getres
#include <time.h>
extern long __nondet_long(void);
int clock_getres(clockid_t clock, struct timespec *to)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    if (to) {
        to->tv_sec = __nondet_long();
        to->tv_nsec = __nondet_long();
        __builtin_assume(to->tv_sec >= 0 && to->tv_nsec >= 0 && to->tv_nsec < 1000000000);
    }
    return 0;
}

//// clock_settime
#include <time.h>
int clock_settime(clockid_t clock, const struct timespec *to)
{
    long seconds = to->tv_sec;
    return __unreach_done();
}

//// timespec_get
#include <time.h>
extern int __nondet_int(void);
extern long __nondet_long(void);
int timespec_get(struct timespec *to, int base)
{
    if (base != 1 || __nondet_int()) {
        return 0;
    }
    to->tv_sec = __nondet_long();
    to->tv_nsec = __nondet_long();
    __builtin_assume(to->tv_sec >= 0 && to->tv_nsec >= 0 && to->tv_nsec < 1000000000);
    return base;
}

//// gettimeofday
#include <sys/time.h>
extern long __nondet_long(void);
extern int __nondet_int(void);
int gettimeofday(struct timeval *to, void *zone)
{
    if (to) {
        to->tv_sec = __nondet_long();
        to->tv_usec = __nondet_long();
        __builtin_assume(to->tv_sec >= 0 && to->tv_usec >= 0 && to->tv_usec < 1000000);
    }
    if (zone) {
        ((struct timezone *)zone)->tz_minuteswest = __nondet_int();
        ((struct timezone *)zone)->tz_dsttime = __nondet_int();
    }
    return 0;
}

//// settimeofday
#include <sys/time.h>
int settimeofday(const struct timeval *to, const struct timezone *zone)
{
    return __unreach_done();
}

//// utimes
int utimes(const char *path, const void *times)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// tzset
char *tzname[2] = {(char *)"UTC", (char *)"UTC"};
extern long __nondet_long(void);
extern int __nondet_int(void);
long timezone;
int daylight;
void tzset(void)
{
    timezone = __nondet_long();
    daylight = __nondet_int() != 0;
    __builtin_assume(timezone >= -86400 && timezone <= 86400);
    tzname[0] = __unreach_any_text();
    tzname[1] = __unreach_any_text();
}

//// strptime
/* Which members a format sets, and how much of the text it takes, is left open. */
#include <time.h>
extern int __unknown_int(void);
extern __SIZE_TYPE__ __unknown_size(void);
char *strptime(const char *text, const char *format, struct tm *date)
{
    __SIZE_TYPE__ length = 0;
    __SIZE_TYPE__ read = __unknown_size();
    while (text[length] != 0) {
        length++;
    }
    __unreach_ends(format);
    __builtin_assume(read <= length);
    if (__unknown_int()) {
        date->tm_sec = __unknown_int();
        __builtin_assume(date->tm_sec >= 0 && date->tm_sec <= 61);
    }
    if (__unknown_int()) {
        date->tm_min = __unknown_int();
        __builtin_assume(date->tm_min >= 0 && date->tm_min <= 59);
    }
    if (__unknown_int()) {
        date->tm_hour = __unknown_int();
        __builtin_assume(date->tm_hour >= 0 && date->tm_hour <= 23);
    }
    if (__unknown_int()) {
        date->tm_mday = __unknown_int();
        __builtin_assume(date->tm_mday >= 0 && date->tm_mday <= 31);
    }
    if (__unknown_int()) {
        date->tm_mon = __unknown_int();
        __builtin_assume(date->tm_mon >= 0 && date->tm_mon <= 11);
    }
    if (__unknown_int()) {
        date->tm_year = __unknown_int();
    }
    if (__unknown_int()) {
        date->tm_wday = __unknown_int();
        __builtin_assume(date->tm_wday >= 0 && date->tm_wday <= 6);
    }
    if (__unknown_int()) {
        date->tm_yday = __unknown_int();
        __builtin_assume(date->tm_yday >= 0 && date->tm_yday <= 365);
    }
    if (__unknown_int()) {
        date->tm_isdst = __unknown_int();
    }
    return __unknown_int() ? (char *)0 : (char *)text + read;
}

//// getdate
#include <time.h>
int getdate_err;
extern int __nondet_int(void);
struct tm *getdate(const char *text)
{
    static struct tm date;
    __unreach_ends(text);
    if (__nondet_int()) {
        getdate_err = __nondet_int();
        __builtin_assume(getdate_err >= 1 && getdate_err <= 8);
        return (struct tm *)0;
    }
    __unreach_date(&date);
    return &date;
}

//// timegm
#include <time.h>
time_t timegm(struct tm *date)
{
    return mktime(date);
}

//// timelocal
#include <time.h>
time_t timelocal(struct tm *date)
{
    return mktime(date);
}

//// times
#include <sys/times.h>
extern long __nondet_long(void);
clock_t times(struct tms *to)
{
    if (to) {
        to->tms_utime = __nondet_long();
        to->tms_stime = __nondet_long();
        to->tms_cutime = __nondet_long();
        to->tms_cstime = __nondet_long();
        __builtin_assume(to->tms_utime >= 0 && to->tms_stime >= 0 && to->tms_cutime >= 0 && to->tms_cstime >= 0);
    }
    return __nondet_long();
}

//// alarm
extern unsigned int __nondet_unsigned(void);
unsigned int alarm(unsigned int seconds)
{
    return __nondet_unsigned();
}
