/* Unions that are passed, returned and assigned, with pointers and bit-fields in them. */
long long result;
union u { int i; unsigned char b[8]; int *p; struct { unsigned lo : 3; int hi : 7; } bits; };
struct t { int kind; union u u[2]; };
static int x = 40, y = 2;
union u make(int *p) { union u u; u.i = 0; u.p = p; return u; }
struct t turn(struct t t) { union u first = t.u[0]; t.u[0] = t.u[1]; t.u[1] = first; t.kind++; return t; }
int main(void) {
    struct t t = {1, {{0}, {0}}};
    t.u[0] = make(&x);
    t.u[1] = t.kind ? make(&y) : t.u[0];
    struct t s = turn(t);
    *s.u[0].p += 5;
    *s.u[1].p += *s.u[0].p;
    result = x * 1000 + y * 10 + s.kind;
    union u v;
    v.i = 0;
    v.bits.hi = -3; v.bits.lo = 6;
    union u w = v;
    w.b[0] ^= 1;
    result = result * 100 + w.bits.lo + w.bits.hi * 3 + v.bits.lo;
    return 0;
}
