// property: unreach-call
// verdict: unsafe
// The input is a number that only exact multiplication finds.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > 1.0f && x * x == 2.25f)
        reach_error();
    return 0;
}
