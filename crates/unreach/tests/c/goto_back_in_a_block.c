// property: valid-memsafety
// verdict: safe
// A goto back inside of a block does not end the variables of the block, also those that are declared behind the label.
static int cells[4];
static int *kept;

int main(void) {
    int n = 0;
again:
    if (kept) cells[*kept] = 1;
    int x = n;
    // The variable is the same one, which has its next value now.
    if (kept) cells[*kept == n ? 0 : 4] = 1;
    kept = &x;
    n++;
    if (n < 3) goto again;
    return 0;
}
