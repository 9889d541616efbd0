// property: unreach-call
// verdict: safe
extern void reach_error(void);
union u { int i; unsigned char b[4]; int *p; };
struct t { int kind; union u u; };
struct t set(struct t t, int v) {
    t.u.b[1] = (unsigned char)v;
    return t;
}

int main(void) {
    struct t a = {1, {0}};
    struct t b = set(a, 2);
    if (b.u.i != 512 || a.u.i != 0)
        reach_error();
    return 0;
}
