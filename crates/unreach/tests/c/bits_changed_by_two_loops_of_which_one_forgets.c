// property: assert
// verdict: unsafe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), before = x, flipped = 0;
    for (int i = 0; __VERIFIER_nondet_int() && i < 100000; i++) {
        x ^= 0xff;
        flipped ^= 0xff;
    }
    while (__VERIFIER_nondet_int()) {
        x ^= 0x11;
        flipped ^= 0x10;
    }
    assert((x ^ flipped) == before);
    return 0;
}
