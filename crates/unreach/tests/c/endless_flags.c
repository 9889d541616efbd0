// property: unreach-call
// verdict: safe
// Flags are set and cleared by number, as long as the loop likes: others than the first eight stay clear.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned flags;
static void set(unsigned number) { flags |= 1u << number; }
static void clear(unsigned number) { flags &= ~(1u << number); }

int main(void) {
    for (;;) {
        unsigned operation = __VERIFIER_nondet_uint();
        unsigned number = __VERIFIER_nondet_uint() % 8u;
        if (operation & 1)
            set(number);
        else
            clear(number);
        if (flags & ~0xffu)
            reach_error();
        if (operation == 7)
            break;
    }
    if (flags > 255u)
        reach_error();
    return 0;
}
