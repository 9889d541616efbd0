// check: deadlock
// verdict: unsafe
#include <pthread.h>

static pthread_spinlock_t one, other;

static void *first(void *argument)
{
    pthread_spin_lock(&one);
    pthread_spin_lock(&other);
    pthread_spin_unlock(&other);
    pthread_spin_unlock(&one);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&one, 0);
    pthread_spin_init(&other, 0);
    pthread_create(&thread, 0, first, 0);
    pthread_spin_lock(&other);
    pthread_spin_lock(&one);
    pthread_spin_unlock(&one);
    pthread_spin_unlock(&other);
    pthread_join(thread, 0);
    return 0;
}
