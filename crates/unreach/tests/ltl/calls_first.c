//@ verdict: false
//@ ltl invariant first: call(f()) U call(g());
// Before the first call there is a state in which nothing is called.
int x;
void f(void) { x = 1; }
void g(void) { x = 2; }
int main(void) {
    f();
    g();
    return 0;
}
