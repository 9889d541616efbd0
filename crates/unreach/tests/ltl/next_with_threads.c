//@ verdict: true
//@ ltl invariant next: [](AP(a == 1) ==> X (AP(a == 1) || AP(a == 2)));
// The steps of all threads, in the order in which they happen.
#include <pthread.h>
extern void __VERIFIER_ltl_step(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int a;
void *writer(void *argument) {
    __VERIFIER_atomic_begin();
    a = a + 1;
    __VERIFIER_ltl_step();
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, writer, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
