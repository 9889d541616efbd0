//@ verdict: true
//@ ltl invariant answered: G (call(request()) -> F call(answer()));
extern int __VERIFIER_nondet_int(void);
int pending;
void request(void) { pending = pending + 1; }
void answer(int to) { pending = 0; }
int main(void) {
    while (1) {
        if (__VERIFIER_nondet_int()) request();
        answer(1);
    }
}
