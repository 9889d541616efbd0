// property: unreach-call
// verdict: safe
// Two ways to go on with a checksum, one with a mask and one with a branch, over input of any length.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned sum = 0xffffffffu;
    while (__VERIFIER_nondet_uint()) {
        unsigned char next = __VERIFIER_nondet_uchar();
        unsigned other = sum ^ next;
        sum ^= next;
        for (int bit = 0; bit < 8; bit++)
            sum = (sum >> 1) ^ (0xedb88320u & (0u - (sum & 1u)));
        for (int bit = 0; bit < 8; bit++) {
            if (other & 1u)
                other = (other >> 1) ^ 0xedb88320u;
            else
                other >>= 1;
        }
        if (sum != other)
            reach_error();
    }
    return 0;
}
