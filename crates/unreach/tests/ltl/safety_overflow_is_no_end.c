//@ verdict: unknown
//@ ltl invariant never: []AP(x == 0);
// Only behind a signed overflow is the property violated, and that has no meaning.
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
    int n = __VERIFIER_nondet_int();
    n = n > 2147483646 ? n + 1 : 0;
    x = n != 0;
}
