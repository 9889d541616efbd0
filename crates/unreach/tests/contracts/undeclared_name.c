// contracts: enforce
// verdict: invalid
/*@ ensures \result == nothing; */
int f(void) { return 1; }
