#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __unreach_wait(int, const char *);
int sem_wait(sem_t *semaphore)
{
    __unreach_wait(semaphore->__value > 0, "a semaphore");
    __VERIFIER_atomic_begin();
    __builtin_assume(semaphore->__value > 0);
    semaphore->__value--;
    __VERIFIER_atomic_end();
    return 0;
}
