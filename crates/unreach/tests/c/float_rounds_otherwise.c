// property: unreach-call
// verdict: unsafe
// A sum that is not exact becomes larger.
extern int fesetround(int);
extern void reach_error(void);
int main(void) {
    fesetround(0x800);
    volatile float x = 16777216.0f, y = 1.0f;
    if (x + y != x)
        reach_error();
    return 0;
}
