// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the variable of the next round has the same place, so no sanitizer notices
// A pointer to a variable of the last round of a loop leads to nothing, though the variable is there again.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int now = __VERIFIER_nondet_int() % 10;
        if (last) sum += *last;
        last = &now;
    }
    return sum;
}
