#ifndef __UNREACH_ERR_H
#define __UNREACH_ERR_H
extern void err(int, const char *, ...) __attribute__((__noreturn__));
extern void errx(int, const char *, ...) __attribute__((__noreturn__));
extern void warn(const char *, ...);
extern void warnx(const char *, ...);
#endif
