// property: unreach-call
// verdict: safe
// An exclusive or, and the same made of others, over numbers of any count.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned one = 0, other = 0;
    while (__VERIFIER_nondet_uint()) {
        unsigned next = __VERIFIER_nondet_uint();
        one ^= next;
        other = (other | next) & ~(other & next);
    }
    if (one != other)
        reach_error();
    return 0;
}
