// check: data-race
// verdict: safe
#include <pthread.h>

static int parts[2];

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void *worker(void *argument)
{
    int *part = argument;
    *part = fibonacci(10);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, &parts[0]);
    pthread_create(&two, 0, worker, &parts[1]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return parts[0] == parts[1] ? 0 : 1;
}
