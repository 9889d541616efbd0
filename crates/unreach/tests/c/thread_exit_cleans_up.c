// property: assert
// verdict: safe
#include <assert.h>
#include <pthread.h>

static int trace;

static void note(void *digit)
{
    trace = 10 * trace + *(int *)digit;
}

static void *worker(void *argument)
{
    int one = 1, two = 2, three = 3;
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, &three);
    pthread_exit(0);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(trace == 31);
    return 0;
}
