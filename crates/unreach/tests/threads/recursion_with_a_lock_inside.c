// check: asserts
// verdict: safe
// Here every call takes the lock for itself, so others come between; the depth is known.
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void count(int n)
{
    if (n == 0)
        return;
    pthread_mutex_lock(&mutex);
    total++;
    pthread_mutex_unlock(&mutex);
    count(n - 1);
}

static void *worker(void *argument)
{
    count(2);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(total == 4);
    return 0;
}
