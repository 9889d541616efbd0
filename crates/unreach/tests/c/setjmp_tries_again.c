// property: assert
// verdict: safe
// A retry loop: what is volatile keeps its value over the jump.
#include <assert.h>
#include <setjmp.h>
static jmp_buf again;
static void attempt(int n) { if (n < 3) longjmp(again, n + 1); }
int main(void) {
    volatile int tries = 0;
    int code = setjmp(again);
    tries = tries + 1;
    assert(code == tries - 1);
    attempt(code);
    assert(tries == 4);
    return 0;
}
