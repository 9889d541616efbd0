#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int errno;
int sem_trywait(sem_t *semaphore)
{
    int taken = 0;
    __VERIFIER_atomic_begin();
    if (semaphore->__value > 0) {
        semaphore->__value--;
        taken = 1;
    }
    __VERIFIER_atomic_end();
    if (!taken) {
        errno = 11;
        return -1;
    }
    return 0;
}
