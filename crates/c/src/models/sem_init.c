#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int sem_init(sem_t *semaphore, int shared, unsigned int value)
{
    __VERIFIER_atomic_begin();
    semaphore->__value = value;
    __VERIFIER_atomic_end();
    return 0;
}
