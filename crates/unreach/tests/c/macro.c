// property: assert
// verdict: unsafe
#include <assert.h>
#define TWICE(x) ((x) + (x))
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int n = TWICE(__VERIFIER_nondet_uchar());
    assert(n != 300);
    return 0;
}
