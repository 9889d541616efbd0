// check: data-race
// verdict: unsafe
#include <pthread.h>

static int data;
static int ready;

static void *first(void *argument)
{
    data = 5;
    ready = 1;
    return 0;
}

static void *second(void *argument)
{
    if (ready == 1)
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
