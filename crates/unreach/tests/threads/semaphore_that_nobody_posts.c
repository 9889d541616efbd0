// check: deadlock
// verdict: unsafe
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *first(void *argument)
{
    sem_wait(&semaphore);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&semaphore, 0, 1);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
