// check: data-race
// verdict: safe
#include <pthread.h>

static int x;

static void *first(void *argument)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&x, 1);
    return 0;
}

static void *second(void *argument)
{
    int expected = 1;
    __atomic_compare_exchange_n(&x, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
