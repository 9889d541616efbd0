#include <pthread.h>
static __thread int __unreach_cancel_type;
int pthread_setcanceltype(int type, int *old)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
        return 22;
    }
    if (old) {
        *old = __unreach_cancel_type;
    }
    __unreach_cancel_type = type;
    return 0;
}
