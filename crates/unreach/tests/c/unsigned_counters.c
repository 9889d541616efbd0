// property: unreach-call
// verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
    while (i < n) {
        i++;
        s++;
    }
    if (s != n)
        reach_error();
    return 0;
}
