// check: data-race
// verdict: safe
#include <pthread.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        data++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
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
