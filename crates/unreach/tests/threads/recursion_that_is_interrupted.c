// check: asserts
// verdict: unsafe
// The other thread can come between two steps of the recursion.
#include <assert.h>
#include <pthread.h>

static int shared;

static void set(int n)
{
    if (n == 0)
        return;
    shared = n;
    assert(shared == n);
    set(n - 1);
}

static void *first(void *argument)
{
    set(2);
    return 0;
}

static void *second(void *argument)
{
    shared = 7;
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
