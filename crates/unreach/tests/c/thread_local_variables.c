// property: assert
// verdict: safe
#include <assert.h>
#include <pthread.h>

static __thread int own, seven = 7;
static _Thread_local struct { int x, y; } pair = {.y = 3};

static void count(void)
{
    own++;
    seven++;
    pair.x = pair.x + pair.y;
}

static void *worker(void *argument)
{
    assert(own == 0 && seven == 7 && pair.x == 0);
    count();
    assert(own == 1 && seven == 8 && pair.x == 3);
    return 0;
}

int main(void)
{
    pthread_t thread;
    count();
    pthread_create(&thread, 0, worker, 0);
    count();
    assert(own == 2 && seven == 9 && pair.x == 6);
    return 0;
}
