// check: asserts
// verdict: safe
#include <assert.h>
#include <pthread.h>

static int done;

static void *worker(void *argument)
{
    int before, after;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    assert(before == PTHREAD_CANCEL_ENABLE);
    done = 1;
    pthread_setcancelstate(before, &after);
    assert(after == PTHREAD_CANCEL_DISABLE);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_join(one, 0);
    assert(done == 1);
    return 0;
}
