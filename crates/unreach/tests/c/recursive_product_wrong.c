// property: assert
// verdict: unsafe
// Like `recursive_product.c`, but the second argument may be negative, and then its sign is lost.
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
    if (a < 0 || a > 1000 || b < -1 || b > 1000)
        return 0;
    assert(product(a, b) == product(b, a));
    return 0;
}
