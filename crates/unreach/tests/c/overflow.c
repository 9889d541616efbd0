// property: no-overflow
// verdict: unsafe
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 2147483640 && x < 2147483642)
        x += 9;
    return x > 0;
}
