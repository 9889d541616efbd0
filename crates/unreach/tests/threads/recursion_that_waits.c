// check: deadlock
// verdict: unknown
// says: recursion that waits, where deadlocks are errors,
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(int n)
{
    if (n == 0)
        return;
    pthread_mutex_lock(&mutex);
    take(n - 1);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *argument)
{
    take(2);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    return 0;
}
