// check: asserts
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *worker(void *argument)
{
    int expected = atomic_load(&value);
    while (!atomic_compare_exchange_weak(&value, &expected, expected + 1))
        ;
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    assert(atomic_load(&value) == 1);
    return 0;
}
