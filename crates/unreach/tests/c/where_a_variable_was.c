// property: valid-memaccess
// verdict: unknown
// Whether a new variable lies where one was that is gone, C leaves open: so whether pointers to them are equal is not known.
static int *last;

int main(void) {
    int n = 1, *p = &n;
    for (int i = 0; i < 2; i++) {
        int own = i;
        if (i > 0 && last != &own) p = 0;
        last = &own;
    }
    return *p;
}
