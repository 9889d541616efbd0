// check: asserts
// verdict: safe
// Only the first thread recurs, before it starts others and after it has awaited them.
#include <assert.h>
#include <pthread.h>

static int sum;

extern int __VERIFIER_nondet_int(void);

static void add(int n)
{
    if (n <= 0)
        return;
    sum = sum < 100 ? sum + 1 : 0;
    add(n - 1);
}

static void *worker(void *argument)
{
    sum = 5;
    return 0;
}

int main(void)
{
    pthread_t one;
    add(__VERIFIER_nondet_int());
    assert(sum >= 0 && sum <= 100);
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    assert(sum == 5);
    add(__VERIFIER_nondet_int());
    assert(sum >= 0 && sum <= 100);
    return 0;
}
