// property: assert
// verdict: unsafe
// Assertions and assumptions of other verifiers: the last check can fail.
extern void __CPROVER_assume(_Bool), __CPROVER_assert(_Bool, const char *);
extern void __ESBMC_assume(_Bool), __ESBMC_assert(_Bool, const char *);
extern int nondet_int(void);

int main(void) {
    int x = nondet_int(), y = nondet_int();
    __CPROVER_assume(x > 3);
    __ESBMC_assume(y == x);
    __CPROVER_assert(y > 3, "more than three");
    __ESBMC_assert(x != 7, "not seven");
    return 0;
}
