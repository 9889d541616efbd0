// check: deadlock
// verdict: unsafe
#include <pthread.h>
#include <semaphore.h>

static sem_t one, other;

static void *first(void *argument)
{
    sem_wait(&one);
    sem_wait(&other);
    sem_post(&other);
    sem_post(&one);
    return 0;
}

int main(void)
{
    pthread_t thread;
    sem_init(&one, 0, 1);
    sem_init(&other, 0, 1);
    pthread_create(&thread, 0, first, 0);
    sem_wait(&other);
    sem_wait(&one);
    sem_post(&one);
    sem_post(&other);
    pthread_join(thread, 0);
    return 0;
}
