// property: unreach-call
// verdict: unknown
// The result of counting the leading zeros of zero is not defined, so it may be any.

extern void reach_error(void);

int main(void) {
    unsigned x;
    if (__builtin_clz(x) == 77)
        reach_error();
    return 0;
}
