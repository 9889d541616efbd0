//@ verdict: false
//@ ltl invariant answered: [](AP(request == 1) ==> <>AP(answer == 1));
// Waiting may last for ever, without a change of any variable that the formula speaks of.
extern int __VERIFIER_nondet_int(void);
int request, answer;
int main(void) {
    request = 1;
    while (__VERIFIER_nondet_int())
        ;
    answer = 1;
}
