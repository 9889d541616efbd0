// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the next variable has the same place, so no sanitizer notices
// A goto into a block that was left begins it anew, so the variable is another object than before.
int main(void) {
    int *kept = 0, rounds = 0;
again:
    if (rounds == 1) goto inside;
    {
        int x = 1;
        kept = &x;
        rounds++;
        goto again;
    inside:
        x = 2;
        return *kept;
    }
}
