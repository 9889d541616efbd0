//@ verdict: true
//@ ltl invariant answered: [](AP(request == 1) ==> <>AP(answer == 1));
// Every request is answered, after a countdown.
extern int __VERIFIER_nondet_int(void);
int request, answer;
int main(void) {
    while (1) {
        int n = __VERIFIER_nondet_int();
        request = 1;
        answer = 0;
        while (n > 0)
            n = n - 1;
        request = 0;
        answer = 1;
    }
}
