#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int sem_getvalue(sem_t *semaphore, int *value)
{
    int now;
    __VERIFIER_atomic_begin();
    now = semaphore->__value;
    __VERIFIER_atomic_end();
    *value = now;
    return 0;
}
