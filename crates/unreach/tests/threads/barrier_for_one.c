// check: data-race
// verdict: unsafe
#include <pthread.h>

static int a, b;
static pthread_barrier_t barrier;

static void *first(void *argument)
{
    a = 1;
    pthread_barrier_wait(&barrier);
    b = a;
    return 0;
}

static void *second(void *argument)
{
    b = 1;
    pthread_barrier_wait(&barrier);
    int seen = a;
    (void)seen;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_barrier_init(&barrier, 0, 1);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
