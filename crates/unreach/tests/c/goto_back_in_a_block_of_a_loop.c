// property: valid-memsafety
// verdict: unknown
// The variable is another object in every round of the loop, and the same one behind the goto, which is not told apart.
static int cells[4];
static int *kept;

int main(void) {
    for (int i = 0; i < 2; i++) {
        int n = 0;
        kept = 0;
    again:
        if (kept) cells[*kept] = 1;
        int x = n;
        kept = &x;
        n++;
        if (n < 3) goto again;
    }
    return 0;
}
