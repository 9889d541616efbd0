// check: data-race
// verdict: safe
#include <pthread.h>

static int target;
static int *_Atomic pointer;

static void *first(void *argument)
{
    pointer = &target;
    return 0;
}

static void *second(void *argument)
{
    int *seen = pointer;
    (void)seen;
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
