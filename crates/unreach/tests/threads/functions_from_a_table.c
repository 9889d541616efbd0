// check: data-race
// verdict: unsafe
#include <pthread.h>

static int data;

static void *reads(void *argument)
{
    return data ? 0 : argument;
}

static void *writes(void *argument)
{
    data = 1;
    return 0;
}

static void *(*const table[2])(void *) = { reads, writes };

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, table[0], 0);
    pthread_create(&threads[1], 0, table[1], 0);
    return 0;
}
