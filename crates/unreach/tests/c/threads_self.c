// property: unreach-call
// verdict: unsafe
// harness: the order of threads
// Only one of the two threads counts, but which one is not known where it is asked.
#include <pthread.h>
extern int pthread_equal(pthread_t, pthread_t);
extern void reach_error(void);

int count = 0;
pthread_t other;

static int is_other(void) { return pthread_equal(pthread_self(), other); }

void *work(void *argument) {
    if (!is_other()) {
        count++;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(thread, 0);
    pthread_join(other, 0);
    if (is_other() || count == 1) {
        reach_error();
    }
    return 0;
}
