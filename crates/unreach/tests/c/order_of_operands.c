// property: unreach-call
// verdict: unsafe
// harness: a compiler takes one of the orders
extern void reach_error(void);
int g;
int f(int k) {
    g = g * 10 + k;
    return k;
}

int main(void) {
    int s = f(1) - f(2);
    if (s == -1 && g == 21)
        reach_error();
    return 0;
}
