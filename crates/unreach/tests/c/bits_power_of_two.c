// property: assert
// verdict: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

/* Clearing the lowest bit leaves nothing exactly if there was one bit. */
int main(void) {
    unsigned v = __VERIFIER_nondet_uint(), count = 0;
    for (unsigned rest = v; rest; rest &= rest - 1)
        count++;
    if (v != 0)
        assert(((v & (v - 1)) == 0) == (count == 1));
    return 0;
}
