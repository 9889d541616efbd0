// check: data-race
// verdict: unsafe
#include <pthread.h>

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&other);
    counter++;
    pthread_mutex_unlock(&other);
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
