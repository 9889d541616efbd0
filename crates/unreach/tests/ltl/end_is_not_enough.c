//@ verdict: false
//@ ltl invariant again: []<>AP(x == 1);
int x;
int main(void) {
    x = 1;
    x = 2;
}
