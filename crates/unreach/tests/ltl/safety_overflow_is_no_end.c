//@ verdict: unknown
//@ ltl invariant never: []AP(x == 0);
// Only if numbers are unbounded is the property violated, and a signed overflow has no meaning.
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
    int n = __VERIFIER_nondet_int();
    long m = n + 1;
    x = m > 2147483647;
}
