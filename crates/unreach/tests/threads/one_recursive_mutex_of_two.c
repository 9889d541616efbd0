// check: deadlock
// verdict: unsafe
// Only the second mutex is recursive; the first one is taken twice.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static void *worker(void *argument)
{
    pthread_mutex_lock(&mutexes[1]);
    pthread_mutex_lock(&mutexes[1]);
    pthread_mutex_unlock(&mutexes[1]);
    pthread_mutex_unlock(&mutexes[1]);
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[0]);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    return 0;
}
