// check: data-race
// verdict: unsafe
#include <pthread.h>

static int x, y;

static void *first(void *argument)
{
    __atomic_fetch_add(&x, y, __ATOMIC_SEQ_CST);
    return 0;
}

static void *second(void *argument)
{
    __atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);
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
