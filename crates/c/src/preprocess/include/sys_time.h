#ifndef __UNREACH_SYS_TIME_H
#define __UNREACH_SYS_TIME_H
#include <sys/types.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct itimerval { struct timeval it_interval; struct timeval it_value; };
#define timerclear(a) ((a)->tv_sec = (a)->tv_usec = 0)
#define timerisset(a) ((a)->tv_sec || (a)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timeradd(a, b, to) do { (to)->tv_sec = (a)->tv_sec + (b)->tv_sec; (to)->tv_usec = (a)->tv_usec + (b)->tv_usec; if ((to)->tv_usec >= 1000000) { ++(to)->tv_sec; (to)->tv_usec -= 1000000; } } while (0)
#define timersub(a, b, to) do { (to)->tv_sec = (a)->tv_sec - (b)->tv_sec; (to)->tv_usec = (a)->tv_usec - (b)->tv_usec; if ((to)->tv_usec < 0) { --(to)->tv_sec; (to)->tv_usec += 1000000; } } while (0)
extern int gettimeofday(struct timeval *, void *);
extern int utimes(const char *, const struct timeval *);
extern int settimeofday(const struct timeval *, const struct timezone *);
#endif
