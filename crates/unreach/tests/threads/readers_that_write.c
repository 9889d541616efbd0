// check: data-race
// verdict: unsafe
#include <pthread.h>

static int data;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
