// check: deadlock
// verdict: unsafe
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, worker, 0);
    pthread_exit(0);
}
