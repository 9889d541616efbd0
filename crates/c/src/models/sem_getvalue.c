#include <semaphore.h>
int sem_getvalue(sem_t *semaphore, int *value)
{
    *value = semaphore->__value;
    return 0;
}
