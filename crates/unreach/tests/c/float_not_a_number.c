// property: unreach-call
// verdict: unsafe
// Only a NaN is not equal to itself.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x != x)
        reach_error();
    return 0;
}
