// property: valid-memsafety
// verdict: safe
// Pointers to variables of a round are used in that round only.
extern int __VERIFIER_nondet_int(void);

static int *chosen;

int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int now = __VERIFIER_nondet_int() % 10;
        last = &now;
        chosen = last;
        sum += *last + *chosen;
    }
    return sum;
}
