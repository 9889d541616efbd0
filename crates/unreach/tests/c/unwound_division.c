// property: assert
// verdict: safe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000)
        return 0;
    assert(x / 7 * 7 + x % 7 == x);
    assert(x % 7 > -7 && x % 7 < 7 && (x >= 0 || x % 7 <= 0));
    return 0;
}
