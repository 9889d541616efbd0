#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned int count)
{
    if (count == 0) {
        return 22;
    }
    __VERIFIER_atomic_begin();
    barrier->__count = count;
    barrier->__waiting = 0;
    barrier->__round = 0;
    __VERIFIER_atomic_end();
    return 0;
}
