//@ verdict: true
//@ ltl invariant next: [](AP(a == 1) ==> X(AP(a == 2)));
extern void __VERIFIER_ltl_step(void);
int a;
int main(void) {
    a = 1;
    __VERIFIER_ltl_step();
    a = 2;
}
