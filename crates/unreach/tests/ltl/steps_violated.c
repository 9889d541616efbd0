//@ verdict: false
//@ ltl invariant alternates: [](AP(a == 1) ==> X(AP(a == 2)));
extern void __VERIFIER_ltl_step(void);
int a;
int main(void) {
    while (1) {
        a = 1;
        __VERIFIER_ltl_step();
        a = 3;
        __VERIFIER_ltl_step();
    }
}
