//@ verdict: true
//@ ltl invariant comes: []<>AP(state == 0);
// A function with several returns is one call in the product.
extern int __VERIFIER_nondet_int(void);
int state;
int next(int input) {
    if (state > 3)
        return 0;
    if (input == 7)
        return 0;
    return state + 1;
}
int main(void) {
    while (1)
        state = next(__VERIFIER_nondet_int());
}
