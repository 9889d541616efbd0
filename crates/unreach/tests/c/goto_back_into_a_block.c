// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the next variable has the same place, so no sanitizer notices
// A goto back into a block that was left begins it anew.
int main(void) {
    int *kept = 0, sum = 0, n = 0;
    {
        int x = 1;
    inside:
        x = 2;
        if (kept) sum += *kept;
        kept = &x;
    }
    if (n++ < 1) goto inside;
    return sum;
}
