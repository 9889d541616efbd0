// check: asserts
// verdict: unknown
// says: recursion that other threads may disturb
#include <assert.h>
#include <pthread.h>

static int total;

extern int __VERIFIER_nondet_int(void);

static void count(int n)
{
    if (n <= 0)
        return;
    total = 1;
    count(n - 1);
}

static void *worker(void *argument)
{
    count(__VERIFIER_nondet_int());
    assert(total <= 2);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    total = 2;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
