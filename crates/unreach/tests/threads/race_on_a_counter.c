// check: data-race
// verdict: unsafe
#include <pthread.h>

static int counter;

static void *first(void *argument)
{
    counter++;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
