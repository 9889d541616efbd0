//@ verdict: false
//@ ltl invariant once: [](AP(a == 2) ==> []AP(a == 2));
#include <pthread.h>
int a;
void *writer(void *argument) {
    a = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    a = 0;
    pthread_create(&thread, 0, writer, 0);
    a = 2;
    pthread_join(thread, 0);
    return 0;
}
