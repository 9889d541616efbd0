//@ verdict: false
//@ ltl invariant comes: <>AP(a == 1);
// The calls never come back, so nothing comes behind them.
int a;
void down(int n) { if (n != 0) down(n); }
int main(void) {
    down(3);
    a = 1;
}
