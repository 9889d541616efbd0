// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define ASSERT(c) do { if (!(c)) reach_error(); } while (0)
#define IN() __VERIFIER_nondet_uint()
#define MORE() __VERIFIER_nondet_int()
int main(void) {
    unsigned flags = IN() & 0x300;
    while (MORE()) {
        unsigned event = IN();
        if (event & 1) flags = (flags | 4) & ~64u;
        else if (event & 2) flags = (flags | 64) & ~4u;
        else flags ^= event & 0x300;
    }
    ASSERT((flags & 68) != 68 && (flags & ~0x344u) == 0);
}
