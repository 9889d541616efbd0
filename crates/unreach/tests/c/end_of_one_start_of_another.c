// property: unreach-call
// verdict: unknown
extern void reach_error(void);

int main(void) {
    int a[2], b[2];
    int *p = a + 2, *q = b;
    if (p == q)
        reach_error();
    return 0;
}
