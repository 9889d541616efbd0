// check: asserts
// verdict: unsafe
#include <assert.h>
#include <pthread.h>

#define COUNT 3

static int total;

static void *worker(void *argument)
{
    int now = total;
    total = now + 1;
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
