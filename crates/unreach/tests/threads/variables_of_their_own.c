// check: data-race
// verdict: safe
#include <pthread.h>

static void set(int *place)
{
    *place = 1;
}

static void *worker(void *argument)
{
    int own, more[3];
    set(&own);
    more[0] = own;
    set(more + 1);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    int own;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    set(&own);
    return 0;
}
