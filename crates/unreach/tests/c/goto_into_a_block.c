// property: valid-memsafety
// verdict: safe
// A goto into a block leads past a declaration, and the variable lives all the same: another one each time, also in a function that calls itself.
static int *kept;

static int count(int n) {
    int *here;
    if (n) goto inside;
    {
        int x = 1;
        kept = &x;
    inside:
        x = n;
        here = &x;
        *here = *here + 1;
        return n > 2 ? *here : count(n + 1) + *here;
    }
}

int main(void) {
    int rounds = 2, *last = 0;
again:
    goto middle;
    {
        int y = 1;
        last = &y;
    middle:
        y = 2;
        last = &y;
        rounds += *last - 3;
    }
    if (rounds > 0) goto again;
    return count(0) + (last != 0);
}
