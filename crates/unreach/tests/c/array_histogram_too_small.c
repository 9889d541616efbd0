// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// Twice as many kinds as there are cells.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int kind[500], count[16];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 500) return 0;
    for (int i = 0; i < 16; i++) count[i] = 0;
    for (int i = 0; i < n; i++) kind[i] = __VERIFIER_nondet_int() & 31;
    for (int i = 0; i < n; i++) count[kind[i]]++;
    return count[0];
}
