// property: unreach-call
// verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int();
extern int flag;
void reach_error() { abort(); }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: reach_error(); } }

int main() {
    int n = __VERIFIER_nondet_int();
    if (flag == 3)
        __VERIFIER_assert(n != __VERIFIER_nondet_int() + 5);
}
