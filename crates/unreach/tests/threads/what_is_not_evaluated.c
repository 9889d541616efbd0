// check: data-race
// verdict: safe
#include <pthread.h>

static int x, y;

static void *first(void *argument)
{
    x = 1;
    return 0;
}

static void *second(void *argument)
{
    int zero = 0;
    if (zero && x)
        y = 1;
    y = zero ? x : 2;
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
