// property: assert
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *work(void *argument) { return argument; }

int main(void) {
    pthread_t joined, detached;
    pthread_create(&joined, 0, work, 0);
    pthread_create(&detached, 0, work, 0);
    assert(pthread_detach(detached) == 0);
    pthread_join(joined, 0);
    assert(pthread_detach(joined) == ESRCH);
    return 0;
}
