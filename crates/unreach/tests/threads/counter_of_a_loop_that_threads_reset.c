// check: asserts
// verdict: unsafe
// The loop starts two threads, unless one of them makes it begin again.
#include <assert.h>
#include <pthread.h>

static int i, started;

static void *worker(void *argument)
{
    i = 0;
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (i = 0; i < 2; i++) {
        started++;
        assert(started <= 3);
        pthread_create(&thread, 0, worker, 0);
    }
    return 0;
}
