#ifndef __UNREACH_SYSLOG_H
#define __UNREACH_SYSLOG_H
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_INFO 6
extern void syslog(int, const char *, ...);
extern void openlog(const char *, int, int);
extern void closelog(void);
#endif
