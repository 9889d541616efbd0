// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the array is still on the stack, so no sanitizer notices
// An array of variable length ends where control goes back behind its declaration.
extern int __VERIFIER_nondet_int(void);
static int *kept;

int main(void) {
    int n = __VERIFIER_nondet_int(), rounds = 0;
    if (n < 1 || n > 3) return 0;
again:
    if (kept) return *kept;
    int a[n];
    a[0] = 1;
    kept = a;
    if (++rounds < 2) goto again;
    return 0;
}
