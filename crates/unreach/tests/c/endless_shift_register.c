// property: unreach-call
// verdict: safe
// A shift register with feedback is never zero if it does not begin with zero.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned short bits = 0xace1u;
    while (__VERIFIER_nondet_uint()) {
        unsigned last = bits & 1u;
        bits >>= 1;
        if (last)
            bits ^= 0xb400u;
        if (bits == 0)
            reach_error();
    }
    return 0;
}
