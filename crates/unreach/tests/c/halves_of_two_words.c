// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define ASSERT(c) do { if (!(c)) reach_error(); } while (0)
#define IN() __VERIFIER_nondet_uint()
#define MORE() __VERIFIER_nondet_int()
int main(void) {
    unsigned x = IN(), y = (x << 16) | (x >> 16);
    while (MORE()) {
        unsigned m = IN();
        x ^= m; y ^= (m << 16) | (m >> 16);
    }
    ASSERT((x & 0xffff) == (y >> 16));
}
