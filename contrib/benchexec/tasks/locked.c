#include <pthread.h>

int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *argument)
{
    pthread_mutex_lock(&lock);
    total = total + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, 0, add, 0);
    pthread_mutex_lock(&lock);
    total = total + 2;
    pthread_mutex_unlock(&lock);
    pthread_join(worker, 0);
    return 0;
}
