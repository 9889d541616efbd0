//@ verdict: false
//@ ltl invariant next: [](AP(a == 1) ==> X AP(a == 2));
// The second thread need not come before the end.
#include <pthread.h>
extern void __VERIFIER_ltl_step(void);
int a;
void *writer(void *argument) {
    a = 2;
    __VERIFIER_ltl_step();
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    a = 1;
    __VERIFIER_ltl_step();
    return 0;
}
