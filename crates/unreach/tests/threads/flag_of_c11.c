// check: data-race
// verdict: safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int data;

static void *worker(void *argument)
{
    while (atomic_flag_test_and_set(&flag))
        ;
    data++;
    atomic_flag_clear(&flag);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
