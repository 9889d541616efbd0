// check: data-race
// verdict: safe
#include <pthread.h>

static struct { int a; char b, c; long d; } s;

static void *first(void *argument)
{
    s.a = 1;
    s.c = 2;
    return 0;
}

static void *second(void *argument)
{
    s.b = 1;
    s.d = 2;
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
