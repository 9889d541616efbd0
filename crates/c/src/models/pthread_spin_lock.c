#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __unreach_wait(int, const char *);
int pthread_spin_lock(pthread_spinlock_t *lock)
{
    __unreach_wait(*lock == 0, "a spin lock");
    __VERIFIER_atomic_begin();
    __builtin_assume(*lock == 0);
    *lock = 1;
    __VERIFIER_atomic_end();
    return 0;
}
