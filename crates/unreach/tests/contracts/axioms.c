// contracts: enforce
// verdict: unknown
// says: `axiomatic` of ACSL
/*@ axiomatic Sum { logic integer sum(int *a, integer n); } */
/*@ ensures \result >= 0; */
int f(void) { return 0; }
