// property: unreach-call
// verdict: unknown
// Every thread has its own copy, which is not modelled.
#include <pthread.h>
extern void reach_error(void);

_Thread_local int own = 0;

void *work(void *argument) {
    own = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    if (own != 0) {
        reach_error();
    }
    return 0;
}
