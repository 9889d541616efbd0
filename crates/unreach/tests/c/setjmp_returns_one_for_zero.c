// property: assert
// verdict: unsafe
// `longjmp` with 0 makes `setjmp` return 1.
#include <assert.h>
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
static jmp_buf handler;
static int done;
static void work(int n) { if (n == 3) longjmp(handler, 0); done++; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    switch (setjmp(handler)) {
    case 0: work(n); break;
    case 1: assert(done == 1); break;
    default: break;
    }
    return 0;
}
