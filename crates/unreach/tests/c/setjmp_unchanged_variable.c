// property: assert
// verdict: safe
// A variable that is not volatile keeps its value if nobody has changed it since.
#include <assert.h>
#include <setjmp.h>
static jmp_buf again;
int main(void) {
    int x = 0, kept = 5;
    if (setjmp(again) == 0) { x = 1; longjmp(again, 1); }
    assert(kept == 5);
    return 0;
}
