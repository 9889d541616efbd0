#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int sem_post(sem_t *semaphore)
{
    __VERIFIER_atomic_begin();
    semaphore->__value++;
    __VERIFIER_atomic_end();
    return 0;
}
