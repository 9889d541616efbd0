// property: no-overflow
// verdict: unsafe
// harness: no sanitizer looks at what is dropped
// The smallest number has no absolute value, also where nobody asks for it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int near = __VERIFIER_nondet_int();
    abs(near);
    return 0;
}
