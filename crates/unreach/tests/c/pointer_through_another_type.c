// property: unreach-call
// verdict: unsafe
extern void reach_error(void);

int main(void) {
    int x = 258;
    int *p = &x;
    void **v = (void **)&p;
    char *c = *v;
    *c = 9;
    if (x != 258)
        reach_error();
    return 0;
}
