//@ verdict: unknown
//@ ltl invariant comes: <>AP(a == 1);
int a;
void down(int n) { if (n > 0) down(n - 1); }
int main(void) {
    down(3);
    a = 1;
}
