//@ verdict: true
//@ ltl invariant again: []<>AP(a == 1);
// Every round calls a recursion that comes back, and sets and clears the flag.
int a;
void down(int n) { if (n > 0) down(n - 1); else a = 1; }
int main(void) {
    while (1) {
        down(4);
        a = 0;
    }
}
