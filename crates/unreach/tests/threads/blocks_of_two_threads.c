// check: data-race
// verdict: safe
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument)
{
    int *own = argument;
    own[0]++;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    int *a = malloc(2 * sizeof(int)), *b = malloc(2 * sizeof(int));
    if (!a || !b)
        return 0;
    a[0] = b[0] = 0;
    pthread_create(&one, 0, worker, a);
    pthread_create(&two, 0, worker, b);
    a[1] = 1;
    pthread_join(one, 0);
    a[0] = 2;
    return 0;
}
