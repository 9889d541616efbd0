//@ verdict: true
//@ ltl invariant comes: <>AP(x == 1);
// Executions that an assumption blocks do not count.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x;
int main(void) {
    x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x == 1 || x == 2);
    if (x == 2)
        __VERIFIER_assume(0);
    while (1)
        x = 0;
}
