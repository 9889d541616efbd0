// check: data-race
// verdict: unsafe
#include <pthread.h>

static int shared;

static void set(int n)
{
    if (n == 0)
        return;
    set(n - 1);
    shared = n;
}

static void *worker(void *argument)
{
    set(2);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    shared = 5;
    pthread_join(one, 0);
    return 0;
}
