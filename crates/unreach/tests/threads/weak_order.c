// check: data-race
// verdict: unknown
// says: an order of memory accesses other than `memory_order_seq_cst`
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *first(void *argument)
{
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

static void *second(void *argument)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
        data++;
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
