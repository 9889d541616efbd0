// property: unreach-call
// verdict: safe
// A loop without an end around a body of bit operations: the absolute value without a branch.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    for (;;) {
        int x = __VERIFIER_nondet_int();
        int sign = x >> 31;
        unsigned without = ((unsigned)x ^ (unsigned)sign) - (unsigned)sign;
        unsigned with = x < 0 ? 0u - (unsigned)x : (unsigned)x;
        if (without != with)
            reach_error();
    }
}
