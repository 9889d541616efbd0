//@ verdict: true
//@ ltl invariant order: AP(b == 0) W AP(a == 1);
// `a` may never be set, and then `b` is not either.
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) {
    while (__VERIFIER_nondet_int())
        ;
    a = 1;
    b = 1;
}
