// check: data-race
// verdict: unsafe
#include <pthread.h>

static int a[4];
extern int __VERIFIER_nondet_int(void);

static void *first(void *argument)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4)
        a[i] = 1;
    return 0;
}

static void *second(void *argument)
{
    a[2] = 1;
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
