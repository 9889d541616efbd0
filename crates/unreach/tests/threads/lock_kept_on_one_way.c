// check: deadlock
// verdict: unsafe
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int failed;

static void *worker(void *argument)
{
    pthread_mutex_lock(&mutex);
    if (failed)
        return 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    failed = count > 3;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    return 0;
}
