// property: unreach-call
// verdict: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int own(int x) { return x / 2; }
int other(int) __attribute__((alias("own")));

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (other(x) != own(x))
        reach_error();
    return 0;
}
