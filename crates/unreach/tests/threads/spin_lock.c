// check: data-race
// verdict: safe
#include <pthread.h>

static int data;
static pthread_spinlock_t lock;

static void *first(void *argument)
{
    pthread_spin_lock(&lock);
    data++;
    pthread_spin_unlock(&lock);
    return 0;
}

static void *second(void *argument)
{
    if (pthread_spin_trylock(&lock) == 0) {
        data++;
        pthread_spin_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_spin_init(&lock, 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
