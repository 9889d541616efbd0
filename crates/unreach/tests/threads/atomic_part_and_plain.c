// check: data-race
// verdict: unsafe
#include <pthread.h>

static int x;
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static void *first(void *argument)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return 0;
}

static void *second(void *argument)
{
    int seen = x;
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
