//@ verdict: true
//@ ltl invariant never: G ! call(forbidden());
// It is there, but the way to it is not; and a function that the program does not have is never called.
int x;
void forbidden(void) { x = 1; }
int main(void) {
    if (x > 0) forbidden();
    return 0;
}
