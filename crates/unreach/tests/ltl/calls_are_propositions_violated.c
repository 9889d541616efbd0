//@ verdict: false
//@ ltl invariant answered: G (call(request()) -> F call(answer(...)));
extern int __VERIFIER_nondet_int(void);
int pending;
void request(void) { pending = 1; }
void answer(int to) { pending = 0; }
int main(void) {
    while (1) {
        request();
        if (__VERIFIER_nondet_int()) answer(1);
    }
}
