//@ verdict: true
//@ ltl invariant ordered: [](AP(ready == 1) ==> AP(data == 7));
// The change and what is observed of it are one step, also with threads.
#include <pthread.h>
int data, ready;
void *writer(void *argument) {
    data = 7;
    ready = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    data = 0;
    pthread_create(&thread, 0, writer, 0);
    int seen = ready;
    pthread_join(thread, 0);
    return seen;
}
