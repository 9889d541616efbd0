// contracts: enforce
// verdict: unsafe
// A function that is proven on its own does not find variables as they are initialised.
int g = 1;
/*@ ensures \result == 1; */
int f(void) { return g; }
