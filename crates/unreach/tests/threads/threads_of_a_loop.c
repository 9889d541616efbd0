// check: asserts
// verdict: safe
#include <assert.h>
#include <pthread.h>

#define COUNT 3

static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument)
{
    pthread_mutex_lock(&mutex);
    total++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], 0);
    assert(total == COUNT);
    return 0;
}
