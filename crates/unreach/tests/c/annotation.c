// property: assert
// verdict: unsafe
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned char low = n;
    //@ assert low == n;
    return 0;
}
