// check: asserts
// verdict: safe
// The whole recursion is in a critical section, so nobody comes between, however deep it is.
#include <assert.h>
#include <pthread.h>

static int level;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

extern int __VERIFIER_nondet_int(void);

static void up_and_down(int n)
{
    if (n <= 0)
        return;
    level++;
    up_and_down(n - 1);
    level--;
}

static void *worker(void *argument)
{
    int depth = __VERIFIER_nondet_int();
    pthread_mutex_lock(&mutex);
    up_and_down(depth);
    int seen = level;
    pthread_mutex_unlock(&mutex);
    assert(seen == 0);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
