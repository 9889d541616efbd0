// check: data-race
// verdict: safe
#include <pthread.h>

static int data, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *first(void *argument)
{
    data = 1;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    data = 2;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
