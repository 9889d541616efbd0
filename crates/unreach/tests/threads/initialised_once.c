// check: data-race
// verdict: safe
#include <pthread.h>

static int data;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void initialise(void) { data = 1; }

static void *first(void *argument)
{
    pthread_once(&once, initialise);
    int seen = data;
    (void)seen;
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
