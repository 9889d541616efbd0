// property: assert
// verdict: unsafe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

/* Two inputs may name the same place. */
int main(void) {
    unsigned char cells[8] = {0};
    unsigned i = __VERIFIER_nondet_uint() & 7, j = __VERIFIER_nondet_uint() & 7;
    cells[i] = 1;
    cells[j] = 2;
    assert(cells[i] == 1 || i != 5);
    return 0;
}
