// Two integers that only bound each other are not bounded.
// contracts: enforce
// verdict: unknown
// says: whose range the formula does not state
/*@ ensures \forall integer i, j; i <= j && j <= i ==> i < 1000000000000000000; */
void f(void) { }
