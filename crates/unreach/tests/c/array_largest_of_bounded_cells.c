// property: assert
// verdict: safe
// The largest element so far begins with a number that is no element, so it is one from the first round on.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int value[100];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100) return 0;
    for (int i = 0; i < n; i++) {
        int read = __VERIFIER_nondet_int();
        value[i] = read < 10 ? 10 : read > 90 ? 90 : read;
    }
    int largest = -1;
    for (int i = 0; i < n; i++) {
        if (value[i] > largest) largest = value[i];
    }
    __VERIFIER_assert(10 <= largest && largest <= 90);
    return 0;
}
