// The arithmetic of ACSL has no bounds, under `\old` as well.
// contracts: enforce
// verdict: unsafe
/*@ assigns \nothing; ensures \result == \old(x + 1); */
unsigned next(unsigned x) { return x + 1; }
