// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the next variable has the same place, so no sanitizer notices
// A goto out of a block ends the variables of the block; when it is entered again, they are other objects.
static int *kept;

int main(void) {
    int n = 0, sum = 0;
again:
    {
        int x = n;
        int *before = kept;
        kept = &x;
        if (before) sum += *before;
        n++;
    }
    if (n < 3) goto again;
    return sum;
}
