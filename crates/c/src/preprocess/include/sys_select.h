#ifndef __UNREACH_SYS_SELECT_H
#define __UNREACH_SYS_SELECT_H
#include <sys/time.h>
#define FD_SETSIZE 1024
typedef struct { unsigned long __bits[16]; } fd_set;
extern int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
#endif
