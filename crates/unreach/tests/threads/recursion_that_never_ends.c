// check: asserts
// verdict: unsafe
// One thread never comes back from its recursion; the other one fails all the same.
#include <assert.h>
#include <pthread.h>

static int failed;

static void turn(int n)
{
    turn(1 - n);
}

static void *first(void *argument)
{
    turn(0);
    return 0;
}

static void *second(void *argument)
{
    assert(failed);
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
