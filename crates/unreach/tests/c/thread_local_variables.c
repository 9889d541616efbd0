// property: assert
// verdict: safe
#include <assert.h>
#include <pthread.h>

static __thread int own;
static _Thread_local struct { int x, y; } pair = {.y = 3};

static void *worker(void *argument)
{
    own++;
    pair.y++;
    assert(own == 1 && pair.x == 0 && pair.y == 4);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pair.y = 9;
    own = 5;
    pthread_create(&thread, 0, worker, 0);
    assert(own == 5 && pair.y == 9);
    return 0;
}
