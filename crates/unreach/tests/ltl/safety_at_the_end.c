//@ verdict: false
//@ ltl invariant next: [](AP(a == 1) ==> X(AP(a == 2)));
// The last state stays for ever, so the one after it has `a == 1` too.
extern void __VERIFIER_ltl_step(void);
int a;
int main(void) {
    a = 2;
    __VERIFIER_ltl_step();
    a = 1;
}
