//@ verdict: false
//@ ltl invariant stays: <>[]AP(a == 1);
// The loop passes a whole recursion in every round.
int a;
void down(int n) { if (n > 0) down(n - 1); else a = 1; }
int main(void) {
    while (1) {
        down(2);
        a = 0;
    }
}
