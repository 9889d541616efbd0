#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    __VERIFIER_atomic_begin();
    *lock = 0;
    __VERIFIER_atomic_end();
    return 0;
}
