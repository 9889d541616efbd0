// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define ASSERT(c) do { if (!(c)) reach_error(); } while (0)
#define IN() __VERIFIER_nondet_uint()
#define MORE() __VERIFIER_nondet_int()
int main(void) {
    unsigned x = IN() & 0xffff, y = IN() << 16;
    while (MORE()) {
        unsigned m = IN();
        x = (x ^ m) & 0xffff; y ^= m & 0xffff0000u; if (m & 1) x >>= 1; else y <<= 1;
    }
    ASSERT((x & y) == 0);
}
