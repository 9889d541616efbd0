// property: assert
// verdict: safe
// What a recursion returns is the product of its arguments, so the order of these does not matter.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int product(int a, int b) {
    if (b < 0)
        return product(a, -b);
    if (b == 0)
        return 0;
    return a + product(a, b - 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0 || a > 1000 || b < 0 || b > 1000)
        return 0;
    assert(product(a, b) == product(b, a));
    return 0;
}
