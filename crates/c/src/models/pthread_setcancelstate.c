#include <pthread.h>
static __thread int __unreach_cancel_state;
int pthread_setcancelstate(int state, int *old)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
        return 22;
    }
    if (old) {
        *old = __unreach_cancel_state;
    }
    __unreach_cancel_state = state;
    return 0;
}
