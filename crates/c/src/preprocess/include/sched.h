#ifndef __UNREACH_SCHED_H
#define __UNREACH_SCHED_H
#include <sys/types.h>
struct sched_param { int sched_priority; };
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
extern int sched_yield(void);
#endif
