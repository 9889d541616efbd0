#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __unreach_wait(int, const char *);
int pthread_once(pthread_once_t *control, void (*function)(void))
{
    int first = 0;
    __VERIFIER_atomic_begin();
    if (*control == 0) {
        *control = 1;
        first = 1;
    }
    __VERIFIER_atomic_end();
    if (first) {
        function();
        __VERIFIER_atomic_begin();
        *control = 2;
        __VERIFIER_atomic_end();
    } else {
        __unreach_wait(*control == 2, "what is done once");
        __VERIFIER_atomic_begin();
        __builtin_assume(*control == 2);
        __VERIFIER_atomic_end();
    }
    return 0;
}
