//@ verdict: true
//@ ltl invariant alternates: [](AP(a == 1) ==> X(AP(a == 2)));
// Only the states at the marked steps are observed.
extern void __VERIFIER_ltl_step(void);
int a;
void set(int to) { a = 7; a = to; }
int main(void) {
    while (1) {
        set(1);
        __VERIFIER_ltl_step();
        a = 9;
        set(2);
        __VERIFIER_ltl_step();
    }
}
