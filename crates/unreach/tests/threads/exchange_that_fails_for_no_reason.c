// check: asserts
// verdict: unsafe
// A weak one may fail although the value is the expected one (C11 7.17.7.4).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *worker(void *argument)
{
    int expected = 0;
    int swapped = atomic_compare_exchange_weak(&value, &expected, 1);
    assert(swapped);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    return 0;
}
