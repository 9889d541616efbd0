// property: assert
// verdict: safe
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned digits(unsigned n) { return n < 10 ? 1 : 1 + digits(n / 10); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    assert((digits(n) == 3) == (n >= 100));
    return 0;
}
