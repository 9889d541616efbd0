// property: unreach-call
// verdict: unsafe
// No rule over integers knows this sum of bits: it is decided in bit-vectors.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = 1431655765;
    if ((x ^ (y + x - x)) == 1431655764)
        reach_error();
    return 0;
}
