// property: assert
// verdict: safe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* The sum needs no bits, and the bits need no sum. */
int main(void) {
    unsigned flags = 0;
    int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
    if (n < 0 || n > 1000000)
        return 0;
    while (i < n) {
        i++;
        sum += 2;
        flags ^= __VERIFIER_nondet_uint() & 6;
        if (__VERIFIER_nondet_int())
            flags |= 1;
        else
            flags &= ~1u;
    }
    assert(sum == 2 * n);
    assert((flags & 8) == 0);
    return 0;
}
