// property: assert
// verdict: unsafe
// harness: the compiled test has one thread at a time
// A thread may hand out the address of its own variable.
#include <assert.h>
#include <pthread.h>

static __thread int own = 5;

static void *worker(void *theirs)
{
    *(int *)theirs = 6;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, &own);
    assert(own == 5);
    return 0;
}
