// property: assert
// verdict: unsafe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned requested = 0, granted = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            granted = requested & __VERIFIER_nondet_uint();
        requested = __VERIFIER_nondet_uint();
    }
    assert((granted & ~requested) == 0);
    return 0;
}
