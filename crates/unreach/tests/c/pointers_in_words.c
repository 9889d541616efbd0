// property: unreach-call
// verdict: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pair { int x; int *p; };

void fill(int *q, int n) {
    for (int i = 0; i < n; i++)
        q[i] = i + 10;
}

int main(void) {
    int a[4];
    struct pair t = {0, 0};
    int y = __VERIFIER_nondet_int();
    t.p = &y;
    t.x = 3;
    fill(a, t.x);
    if (*t.p == 7 && a[2] == 12)
        reach_error();
    return 0;
}
