// property: valid-memsafety
// verdict: safe
int main(void) {
    int n = 0;
again:;
    int x = n;
    int *p = &x;
    *p += 1;
    n = *p;
    switch (n) {
        int y;
    case 1:
        p = &y;
        *p = 2;
    }
    if (n < 2)
        goto again;
    return 0;
}
