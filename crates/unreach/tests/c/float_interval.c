// property: unreach-call
// verdict: safe
// Rounding keeps the order, and NaN is in no interval.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x >= 1.0f && x <= 2.0f) {
        float y = x + 1.0f;
        if (!(y >= 2.0f && y <= 3.0f))
            reach_error();
        if ((int)x < 1)
            reach_error();
    }
    return 0;
}
