// property: unreach-call
// verdict: safe
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
union word { int *p; unsigned char b[8]; };

int main(void) {
    int x = 3, y = 4;
    union word w;
    w.p = &x;
    unsigned char kept[8];
    memcpy(kept, w.b, 8);
    w.p = &y;
    memcpy(w.b, kept, 8);
    *w.p = 5;
    if (x != 5 || y != 4)
        reach_error();
    return 0;
}
