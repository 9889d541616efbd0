// property: no-overflow
// verdict: unsafe
// fails: no-overflow
// A thousand of the largest values are more than an int can hold.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int value[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    for (int i = 0; i < n; i++) {
        int read = __VERIFIER_nondet_int();
        if (read < -40 || read > 3000000) read = 0;
        value[i] = read;
    }
    int sum = 0;
    for (int i = 0; i < n; i++) sum += value[i];
    return sum / n;
}
