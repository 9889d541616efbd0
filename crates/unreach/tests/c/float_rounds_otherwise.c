// property: unreach-call
// verdict: unknown
// Arithmetic behind a change of the rounding mode is not modelled.
extern int fesetround(int);
extern void reach_error(void);
int main(void) {
    fesetround(0x800);
    float x = 16777216.0f, y = 1.0f;
    if (x + y != x)
        reach_error();
    return 0;
}
