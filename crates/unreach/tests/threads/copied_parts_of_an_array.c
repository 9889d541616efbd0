// check: data-race
// verdict: safe
#include <pthread.h>
#include <string.h>

static char a[8], b[8];

static void *first(void *argument)
{
    memcpy(a, b, 4);
    return 0;
}

static void *second(void *argument)
{
    memset(a + 4, 1, 4);
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
