// check: asserts
// verdict: safe
#include <assert.h>
#include <pthread.h>

static int value;

static void *worker(void *argument)
{
    int expected = 0;
    int swapped = __atomic_compare_exchange_n(&value, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
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
