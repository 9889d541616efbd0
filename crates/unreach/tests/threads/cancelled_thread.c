// check: data-race
// verdict: unknown
// says: threads (`pthread_cancel`)
#include <pthread.h>

static int data;

static void *first(void *argument)
{
    data = 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, first, 0);
    pthread_cancel(one);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
