// check: deadlock
// verdict: safe
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void initialise(void)
{
    value = 1;
}

static void *first(void *argument)
{
    pthread_once(&once, initialise);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, first, 0);
    pthread_once(&once, initialise);
    pthread_join(one, 0);
    return 0;
}
