// check: asserts
// verdict: unknown
// says: recursion that starts or awaits threads
#include <assert.h>
#include <pthread.h>

static int started;

static void *worker(void *argument)
{
    assert(started >= 0);
    return 0;
}

static void start(int n)
{
    pthread_t thread;
    if (n == 0)
        return;
    pthread_create(&thread, 0, worker, 0);
    start(n - 1);
    pthread_join(thread, 0);
}

int main(void)
{
    start(3);
    return 0;
}
