// property: unreach-call
// verdict: unsafe
// The error function is called through a pointer, and by another name.
extern void reach_error(void);
extern void fail(void) __asm__("reach_error");
extern int __VERIFIER_nondet_int(void);

int main(void) {
    void (*functions[2])(void) = { reach_error, fail };
    int n = __VERIFIER_nondet_int();
    if (n == 17)
        functions[n & 1]();
    return 0;
}
