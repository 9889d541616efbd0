//@ verdict: true
//@ ltl invariant guarded: [](call(write()) ==> AP(held == 1));
// A call is a moment: what holds there is what holds before the first statement of the function.
int held, data;
void write(int value) { held = 0; data = value; }
int main(void) {
    held = 1;
    write(3);
    held = 1;
    write(4);
    return 0;
}
