//@ verdict: true
//@ ltl invariant never: []AP(x == 0);
// An execution that violates the property is blocked afterwards, so it does not count.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x;
int main(void) {
    x = __VERIFIER_nondet_int() ? 1 : 0;
    __VERIFIER_assume(x == 0);
    while (1)
        ;
}
