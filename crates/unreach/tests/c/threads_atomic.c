// property: unreach-call
// verdict: safe
// harness: the order of threads
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int plain = 0, fetched = 0;
_Atomic int counter = 0;

void __VERIFIER_atomic_both(void) {
    plain = plain + 1;
    plain = plain + 1;
}

void *work(void *argument) {
    counter++;
    __atomic_fetch_add(&fetched, 1, 5);
    __VERIFIER_atomic_both();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    counter += 2;
    __sync_fetch_and_add(&fetched, 2);
    __VERIFIER_atomic_begin();
    if (plain == 1) {
        reach_error();
    }
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    if (counter != 3 || fetched != 3 || plain != 2) {
        reach_error();
    }
    return 0;
}
