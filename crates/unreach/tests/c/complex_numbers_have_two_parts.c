// property: unreach-call
// verdict: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int complex_part = __VERIFIER_nondet_int();
    _Complex int number = 7;
    if (complex_part < -100 || complex_part > 100) {
        return 0;
    }
    __imag__ number = complex_part;
    if (number * number == 33 + 56i) {
        reach_error();
    }
    return 0;
}
