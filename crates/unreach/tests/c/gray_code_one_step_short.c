// property: assert
// verdict: unsafe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned encoded(unsigned number) { return number ^ number >> 1; }

static unsigned decoded(unsigned code) {
    for (unsigned distance = 8; distance > 0; distance /= 2) {
        code ^= code >> distance;
    }
    return code;
}

int main(void) {
    unsigned number = __VERIFIER_nondet_uint();
    assert(decoded(encoded(number)) == number);
    return 0;
}
