// The predicate means the variable at file scope, not the parameter.
// contracts: enforce
// verdict: unknown
// says: a function has a variable of this name
int limit = 10;
/*@ predicate below(integer x) = x < limit; */

/*@ requires below(x); ensures \result < limit; */
int f(int x, int limit) { return x; }
