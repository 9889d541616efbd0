// property: assert
// verdict: unsafe
// harness: the error depends on the order of the threads
// The call that starts the thread becomes several statements, of which only one starts it.
#include <assert.h>
#include <pthread.h>

int ready;

void *watch(void *unused) {
    for (int round = 0; round < 2; round++) {
        if (ready) assert(round == 0);
    }
    return 0;
}

int main(void) {
    pthread_t watcher;
    pthread_create(&watcher, 0, watch, 0);
    ready = 1;
    return 0;
}
