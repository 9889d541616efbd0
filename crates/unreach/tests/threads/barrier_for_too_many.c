// check: deadlock
// verdict: unsafe
#include <pthread.h>

static pthread_barrier_t barrier;

static void *first(void *argument)
{
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&one, 0, first, 0);
    pthread_barrier_wait(&barrier);
    pthread_join(one, 0);
    return 0;
}
