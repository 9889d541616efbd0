// check: data-race
// verdict: safe
#include <pthread.h>

static int number;

static void *first(void *argument)
{
    ((char *)&number)[1] = 1;
    return 0;
}

static void *second(void *argument)
{
    ((char *)&number)[3] = 1;
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
