// property: assert
// verdict: safe
// The innermost handler gets the jump, and may jump on to the next one.
#include <assert.h>
#include <setjmp.h>
static jmp_buf *top;
static int trace;
static void raise_(int code) { longjmp(*top, code); }
static void inner(void) {
    jmp_buf here, *before = top;
    top = &here;
    int code = setjmp(here);
    if (code == 0) { trace = trace * 10 + 1; raise_(5); trace = 999; }
    else { trace = trace * 10 + code; top = before; raise_(7); }
}
int main(void) {
    jmp_buf here;
    top = &here;
    int code = setjmp(here);
    if (code == 0) { inner(); assert(0); }
    assert(code == 7 && trace == 15);
    return 0;
}
