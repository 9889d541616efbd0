#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    int taken = 0;
    __VERIFIER_atomic_begin();
    if (*lock == 0) {
        *lock = 1;
        taken = 1;
    }
    __VERIFIER_atomic_end();
    return taken ? 0 : 16;
}
