// property: unreach-call
// verdict: unknown
// C gives the conversion of a number that does not fit no meaning.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 1e10) {
        int n = (int)x;
        if (n == 7)
            reach_error();
    }
    return 0;
}
