// property: unreach-call
// verdict: unsafe
// Flags are set by number: there is one number too many.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned flags = 0;
    for (;;) {
        unsigned number = __VERIFIER_nondet_uint() % 9u;
        flags |= 1u << number;
        if (flags & ~0xffu)
            reach_error();
    }
}
