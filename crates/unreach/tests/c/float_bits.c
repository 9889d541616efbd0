// property: unreach-call
// verdict: unsafe
// The bits of a number are seen through a union and through a pointer.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
union bits {
    float number;
    unsigned word;
};
int main(void) {
    union bits u;
    u.number = -2.0f;
    if (u.word != 0xc0000000u)
        return 0;
    u.word = __VERIFIER_nondet_uint();
    if (u.number == 0.5f)
        reach_error();
    return 0;
}
