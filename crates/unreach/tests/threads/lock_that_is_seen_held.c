// check: asserts
// verdict: unsafe
// The second thread is started while the first one holds the mutex, so it does not get it and comes to its end.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int reached;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void *first(void *argument)
{
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    return 0;
}

static void *second(void *argument)
{
    reached = 2;
    if (pthread_mutex_trylock(&mutex) == 0) {
        sem_wait(&semaphore);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&semaphore, 0, 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(reached == 0);
    return 0;
}
