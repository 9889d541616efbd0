// property: assert
// verdict: safe
// A failing check of another verifier does not end the execution, but its assumption does.
extern void __CPROVER_assume(_Bool), __CPROVER_assert(_Bool, const char *);
extern int nondet_int(void);

int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x >= 0 && x < 10);
    __CPROVER_assert(x * 2 < 20, "small");
    return 0;
}
