// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// A branch is a block also without braces, and a literal ends with it.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = 2, *p = &n;
    if (__VERIFIER_nondet_int() == 5) p = &(int){3};
    return *p;
}
