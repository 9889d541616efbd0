// The measure is not computed in the unsigned arithmetic of C.
// contracts: enforce
// verdict: safe
/*@ assigns \nothing; */
void f(unsigned n) {
  unsigned i = 0;
  /*@ loop invariant i <= n;
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  while (i < n) i++;
}
