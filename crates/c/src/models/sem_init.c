#include <semaphore.h>
int sem_init(sem_t *semaphore, int shared, unsigned int value)
{
    semaphore->__value = value;
    return 0;
}
