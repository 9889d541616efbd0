// check: asserts
// verdict: safe
// A recursive function that touches nothing of others is one step, however deep it is.
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

extern int __VERIFIER_nondet_int(void);

static int down(int n)
{
    return n <= 0 ? 0 : down(n - 1);
}

static void *worker(void *argument)
{
    int result = down(__VERIFIER_nondet_int());
    pthread_mutex_lock(&mutex);
    total += result;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(total == 0);
    return 0;
}
