// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define ASSERT(c) do { if (!(c)) reach_error(); } while (0)
#define IN() __VERIFIER_nondet_uint()
#define MORE() __VERIFIER_nondet_int()
int main(void) {
    unsigned m = 0xffffffffu, n = 32;
    while (MORE()) {
        if (n > 0) { m >>= 1; n--; }
    }
    ASSERT((m & (m + 1)) == 0);
}
