#ifndef __UNREACH_THREADS_H
#define __UNREACH_THREADS_H
#include <time.h>
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct { int __state; } mtx_t;
typedef struct { int __state; } cnd_t;
typedef int once_flag;
typedef unsigned int tss_t;
#define thread_local _Thread_local
#define ONCE_FLAG_INIT 0
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
extern int thrd_create(thrd_t *, thrd_start_t, void *);
extern int thrd_join(thrd_t, int *);
extern int thrd_detach(thrd_t);
extern thrd_t thrd_current(void);
extern void thrd_yield(void);
extern void thrd_exit(int) __attribute__((__noreturn__));
extern int mtx_init(mtx_t *, int);
extern int mtx_lock(mtx_t *);
extern int mtx_trylock(mtx_t *);
extern int mtx_unlock(mtx_t *);
extern void mtx_destroy(mtx_t *);
extern int cnd_init(cnd_t *);
extern int cnd_wait(cnd_t *, mtx_t *);
extern int cnd_signal(cnd_t *);
extern int cnd_broadcast(cnd_t *);
extern void cnd_destroy(cnd_t *);
extern void call_once(once_flag *, void (*)(void));
#endif
