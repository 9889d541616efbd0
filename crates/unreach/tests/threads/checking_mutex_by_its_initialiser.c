// check: asserts
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *worker(void *argument)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}

int main(void)
{
    pthread_t one;
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
