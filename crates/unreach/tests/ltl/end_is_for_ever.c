//@ verdict: true
//@ ltl invariant stays: <>[]AP(x == 2);
// The state at the end of an execution stays.
int x;
int main(void) {
    x = 1;
    x = 2;
}
