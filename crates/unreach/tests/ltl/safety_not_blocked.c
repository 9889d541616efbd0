//@ verdict: false
//@ ltl invariant never: []AP(x == 0);
// There is an assumption, but it does not block the execution that violates the property.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x;
int main(void) {
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input > 3);
    x = input > 5;
    while (1)
        ;
}
