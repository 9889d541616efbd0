// property: no-overflow
// verdict: safe
// What a call computes has the type of the function, also where nobody asks for it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    volatile long long far = -5000000000LL - __VERIFIER_nondet_int() % 2;
    llabs(far);
    (void)llabs(far);
    int near = __VERIFIER_nondet_int();
    if (near != -2147483647 - 1) abs(near);
    return 0;
}
