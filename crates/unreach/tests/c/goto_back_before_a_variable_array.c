// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the array is still on the stack, so no sanitizer notices
// An array of variable length is another one behind a goto back, also where the block is not left.
int main(void) {
    int n = 1, *kept = 0;
    {
    again:;
        int a[n];
        a[0] = 1;
        if (kept) *kept = 1;
        kept = a;
        if (n++ < 2) goto again;
    }
    return 0;
}
