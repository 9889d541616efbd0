// property: assert
// verdict: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned right(unsigned word, unsigned by) { return by == 0 ? word : word >> by | word << (32 - by); }

int main(void) {
    unsigned word = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint() % 32;
    assert(right(right(word, by), (32 - by) % 32) == word);
    return 0;
}
