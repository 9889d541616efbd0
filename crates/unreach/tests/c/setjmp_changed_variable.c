// property: assert
// verdict: unknown
// What is not volatile and has changed has any value.
#include <assert.h>
#include <setjmp.h>
static jmp_buf again;
int main(void) {
    int x = 0, kept = 5;
    if (setjmp(again) == 0) { x = 1; longjmp(again, 1); }
    assert(kept == 5);
    assert(x == 1);
    return 0;
}
