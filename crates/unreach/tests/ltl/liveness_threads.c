//@ verdict: unknown
//@ ltl invariant comes: <>AP(a == 1);
// Only safety formulas are asked about programs with threads.
#include <pthread.h>
int a;
void *writer(void *argument) {
    a = 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_join(thread, 0);
    return 0;
}
