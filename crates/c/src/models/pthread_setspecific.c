#include <pthread.h>
int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= 64) {
        return 22;
    }
    __unreach_specific[key] = (void *)value;
    return 0;
}
