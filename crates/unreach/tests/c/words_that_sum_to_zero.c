// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define ASSERT(c) do { if (!(c)) reach_error(); } while (0)
#define IN() __VERIFIER_nondet_uint()
#define MORE() __VERIFIER_nondet_int()
int main(void) {
    unsigned a = IN(), b = IN(), c = a ^ b;
    while (MORE()) {
        unsigned t = a; a = b; b = c; c = t;
        unsigned m = IN(); a ^= m; b ^= m;
    }
    ASSERT((a ^ b ^ c) == 0);
}
