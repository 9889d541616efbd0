//@ verdict: true
//@ ltl invariant order: AP(b == 0) U AP(a == 1);
int a, b;
int main(void) {
    int i = 0;
    while (i < 5)
        i = i + 1;
    a = 1;
    b = 1;
}
