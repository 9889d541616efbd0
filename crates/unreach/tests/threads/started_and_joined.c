// check: data-race
// verdict: safe
#include <pthread.h>

static int value;

static void *worker(void *argument)
{
    value++;
    return 0;
}

int main(void)
{
    pthread_t thread;
    value = 1;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    value++;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return value;
}
