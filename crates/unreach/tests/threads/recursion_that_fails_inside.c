// check: asserts
// verdict: unsafe
// The assertion that fails is in the third call of a recursion that is one step.
#include <assert.h>
#include <pthread.h>

static int last;

static int down(int n)
{
    assert(n != 7);
    return n <= 0 ? 0 : down(n - 1);
}

static void *worker(void *argument)
{
    last = down(9);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    return 0;
}
