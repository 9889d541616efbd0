//@ verdict: true
//@ ltl invariant comes: <>AP(a == 1);
// A recursion that ends, and then it comes.
int a;
void down(int n) { if (n > 0) down(n - 1); }
int main(void) {
    down(3);
    a = 1;
}
