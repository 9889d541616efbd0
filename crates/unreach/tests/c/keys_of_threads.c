// property: assert
// verdict: safe
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *worker(void *argument)
{
    assert(pthread_getspecific(key) == 0);
    assert(pthread_setspecific(key, argument) == 0);
    assert(pthread_getspecific(key) == argument);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int mine, theirs;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &mine);
    pthread_create(&thread, 0, worker, &theirs);
    assert(pthread_getspecific(key) == &mine);
    return 0;
}
