// property: unreach-call
// verdict: unsafe
// A variable without a value may have any, of any of these types.
extern void reach_error(void);
int main(void) {
    double x;
    float y = 3;
    if (x * y == 1.5 && x > 0)
        reach_error();
    return 0;
}
