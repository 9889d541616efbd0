// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned low = x & 255, high = (x & 0xff00) >> 8;
    unsigned word = low << 8 | high;
    if (word != low * 256 + high)
        reach_error();
    if ((low & high) > low)
        reach_error();
    return 0;
}
