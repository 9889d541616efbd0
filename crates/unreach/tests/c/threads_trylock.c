// property: unreach-call
// verdict: unsafe
// harness: the order of threads
// Who does not get the lock goes on without it.
#include <pthread.h>
extern void reach_error(void);

int inside = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    int failed = pthread_mutex_trylock(&lock);
    inside = inside + 1;
    if (inside > 1) {
        reach_error();
    }
    inside = inside - 1;
    if (!failed) {
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    return 0;
}
