// check: data-race
// verdict: unsafe
#include <pthread.h>

static void *worker(void *argument)
{
    *(int *)argument = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int own = 0;
    pthread_create(&thread, 0, worker, &own);
    own = 2;
    pthread_join(thread, 0);
    return 0;
}
