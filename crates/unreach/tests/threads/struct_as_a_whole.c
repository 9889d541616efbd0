// check: data-race
// verdict: unsafe
#include <pthread.h>

struct pair { int a, b; };
static struct pair s;

static void *first(void *argument)
{
    s.b = 1;
    return 0;
}

static void *second(void *argument)
{
    struct pair copy = s;
    (void)copy;
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
