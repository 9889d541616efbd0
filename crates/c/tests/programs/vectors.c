/* GNU vectors. */
extern int __VERIFIER_nondet_int(void);
typedef int four __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
typedef short eight __attribute__((vector_size(16)));
long result;
four global = { 1, 2, 3 };

static four scaled(four v, int by) { return v * by; }

int main(void)
{
    int n = __VERIFIER_nondet_int() & 7;
    four a = { 1, 2, 3, n }, b = { 4, 3, 2, 1 };
    four c = a + b, d = a > b, e = -a ^ ~b, f = 2 << a % 3;
    c += global;
    c[1] = 40;
    four g = scaled(c, 3) - 1;
    two t = (two){ 1.5, 2.5 } * 2;
    eight h = (eight){ 1, 2, 3, 4, 5, 6, 7, 8 } & 3;
    for (int i = 0; i < 4; i++)
        result = result * 3 + c[i] + 5 * d[i] + 7 * e[i] + 11 * f[i] + 13 * g[i];
    for (int i = 0; i < 8; i++)
        result = result * 3 + h[i];
    result += (long)t[0] + (long)t[1] + sizeof a;
    return 0;
}
