// property: unreach-call
// verdict: unsafe
// The result of counting the leading zeros of zero is not defined, so it may be any.
// harness: the compiler chooses the result
extern void reach_error(void);

int main(void) {
    unsigned x;
    if (__builtin_clz(x) == 77)
        reach_error();
    return 0;
}
