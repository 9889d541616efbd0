// `integer` is no type of C: without a range nothing holds all of its values.
// contracts: enforce
// verdict: unknown
// says: whose range the formula does not state
/*@ ensures \forall integer i; i * i >= 0; */
void f(void) { }
