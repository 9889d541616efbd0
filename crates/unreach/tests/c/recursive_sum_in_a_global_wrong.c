// property: assert
// verdict: unsafe
// Like `recursive_sum_in_a_global.c`, but what was in there before is forgotten.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int total;

static void add(int n) {
    if (n > 0) {
        total += n;
        add(n - 1);
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int(), start = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000 || start < 0 || start > 1000)
        return 0;
    total = start;
    add(n);
    assert(2 * total == n * n + n);
    return 0;
}
