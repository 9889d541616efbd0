// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: AddressSanitizer is told about such variables only on demand
// The variables of functions that a jump leaves cease to live.
#include <setjmp.h>

static jmp_buf back;
static int *kept;

static void leave(void) {
    int own = 3;
    kept = &own;
    longjmp(back, 1);
}

int main(void) {
    if (setjmp(back) == 0) leave();
    return *kept;
}
