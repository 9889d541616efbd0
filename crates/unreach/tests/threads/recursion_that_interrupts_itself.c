// check: asserts
// verdict: unsafe
// Two threads run the same recursion; an increment of one gets lost in the other.
#include <assert.h>
#include <pthread.h>

static int total;

static void count(int n)
{
    if (n == 0)
        return;
    int now = total;
    total = now + 1;
    count(n - 1);
}

static void *worker(void *argument)
{
    count(2);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(total == 4);
    return 0;
}
