// check: asserts
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int one_part, other_part;

static void *writer(void *argument)
{
    struct timespec until = {0, 0};
    int result = pthread_rwlock_timedwrlock(&lock, &until);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0) {
        one_part++;
        other_part++;
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}

static void *reader(void *argument)
{
    struct timespec until = {0, 0};
    if (pthread_rwlock_timedrdlock(&lock, &until) == 0) {
        assert(one_part == other_part);
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
