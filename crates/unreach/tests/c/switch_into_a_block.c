// property: valid-memsafety
// verdict: safe
// A case leads past the declarations of its block, and what is declared there lives.
extern int __VERIFIER_nondet_int(void);

static int down(int n) {
    switch (n) {
        int x, *p;
    case 0:
        x = 1;
        p = &x;
        return *p;
    default:
        x = n;
        p = &x;
        *p -= 1;
        return down(*p) + x;
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int(), *p = &n, sum = 0;
    if (n < 0 || n > 2) return 0;
    for (int i = 0; i < 2; i++) {
        switch (n) {
            int x;
        case 0:
            x = 1;
            p = &x;
            *p = 2;
        case 1:
            x = 2;
            sum += x;
            break;
        default:
            x = 3;
            p = &x;
            sum += *p;
        }
        p = &n;
    }
    return *p + sum + down(n);
}
