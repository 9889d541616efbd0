#include <pthread.h>

int total;

void *add(void *argument)
{
    total = total + 1;
    return 0;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, 0, add, 0);
    total = total + 2;
    pthread_join(worker, 0);
    return 0;
}
