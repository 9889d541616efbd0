#ifndef __UNREACH_THREADS_H
#define __UNREACH_THREADS_H
#include <pthread.h>
#include <time.h>
typedef pthread_t thrd_t;
typedef int (*thrd_start_t)(void *);
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_once_t once_flag;
typedef pthread_key_t tss_t;
typedef void (*tss_dtor_t)(void *);
#define thread_local _Thread_local
#define ONCE_FLAG_INIT PTHREAD_ONCE_INIT
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
extern int pthread_mutex_unreach_init(pthread_mutex_t *, int);
extern int pthread_unreach_join(pthread_t, int *);
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
#define thrd_create(thread, function, argument) pthread_create((thread), 0, (void *(*)(void *))(function), (argument))
#define thrd_join(thread, result) pthread_unreach_join((thread), (result))
#define thrd_detach(thread) (pthread_detach(thread) == 0 ? thrd_success : thrd_error)
#define thrd_current() pthread_self()
#define thrd_equal(one, other) pthread_equal((one), (other))
#define thrd_yield() ((void)0)
#define mtx_init(mutex, kind) pthread_mutex_unreach_init((mutex), (kind))
#define mtx_lock(mutex) pthread_mutex_lock(mutex)
#define mtx_trylock(mutex) (pthread_mutex_trylock(mutex) == 0 ? thrd_success : thrd_busy)
#define mtx_timedlock(mutex, until) (pthread_mutex_timedlock((mutex), (until)) == 0 ? thrd_success : thrd_timedout)
#define mtx_unlock(mutex) pthread_mutex_unlock(mutex)
#define mtx_destroy(mutex) ((void)pthread_mutex_destroy(mutex))
#define cnd_init(condition) pthread_cond_init((condition), 0)
#define cnd_wait(condition, mutex) pthread_cond_wait((condition), (mutex))
#define cnd_timedwait(condition, mutex, until) (pthread_cond_timedwait((condition), (mutex), (until)) == 0 ? thrd_success : thrd_timedout)
#define cnd_signal(condition) pthread_cond_signal(condition)
#define cnd_broadcast(condition) pthread_cond_broadcast(condition)
#define cnd_destroy(condition) ((void)pthread_cond_destroy(condition))
#define call_once(flag, function) ((void)pthread_once((flag), (function)))
#define tss_create(key, destructor) pthread_key_create((key), (destructor))
#define tss_delete(key) ((void)pthread_key_delete(key))
#define tss_get(key) pthread_getspecific(key)
#define tss_set(key, value) pthread_setspecific((key), (value))
extern void thrd_exit(int) __attribute__((__noreturn__));
#endif
