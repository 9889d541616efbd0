// property: unreach-call
// verdict: safe
// What never gets negative, although it gets as small as it can.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    float x = 10.0f;
    while (__VERIFIER_nondet_int())
        x *= 0.5f;
    if (!(x >= 0.0f))
        reach_error();
    return 0;
}
