// property: assert
// verdict: safe
// A jump returns to the `setjmp` of the activation that set the buffer, through calls that do not know of it.
#include <assert.h>
#include <setjmp.h>

static jmp_buf handler;
static int depth;

static void fail(int code) { longjmp(handler, code); }

static int parse(int input) {
    depth++;
    if (input > 100) fail(input);
    int rest = input == 0 ? 0 : parse(input - 1) + 1;
    depth--;
    return rest;
}

int main(void) {
    extern int __VERIFIER_nondet_int(void);
    int input = __VERIFIER_nondet_int();
    if (input < 99 || input > 102) return 0;
    int code = setjmp(handler);
    if (code == 0) {
        int result = parse(input);
        assert(result == input && input <= 100);
        assert(depth == 0);
    } else {
        assert(code == input && code > 100 && depth == 1);
    }
    return 0;
}
