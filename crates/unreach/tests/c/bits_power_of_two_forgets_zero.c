// property: assert
// verdict: unsafe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned v = __VERIFIER_nondet_uint(), count = 0;
    for (unsigned at = 0; at < 32; at++)
        count += v >> at & 1;
    assert(((v & (v - 1)) == 0) == (count == 1));
    return 0;
}
