#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __unreach_wait(int, const char *);
int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    unsigned int round;
    int last = 0;
    __VERIFIER_atomic_begin();
    round = barrier->__round;
    if (barrier->__waiting + 1 == barrier->__count) {
        barrier->__waiting = 0;
        barrier->__round = round + 1;
        last = 1;
    } else {
        barrier->__waiting++;
    }
    __VERIFIER_atomic_end();
    if (last) {
        return -1;
    }
    __unreach_wait(barrier->__round != round, "a barrier");
    __VERIFIER_atomic_begin();
    __builtin_assume(barrier->__round != round);
    __VERIFIER_atomic_end();
    return 0;
}
