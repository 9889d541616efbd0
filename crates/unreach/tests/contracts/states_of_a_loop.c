// `Pre` is the entry of the function, `LoopEntry` that of the loop.
// contracts: enforce
// verdict: safe
/*@ requires 0 <= n <= 1000;
  @ assigns \nothing;
  @ ensures \result == 2 * \old(n);
  @*/
int twice(int n) {
  int sum = n;
  /*@ loop invariant 0 <= n <= \at(n, Pre);
    @ loop invariant sum == \at(sum, LoopEntry) + \at(n, Pre) - n;
    @ loop assigns n, sum;
    @ loop variant n;
    @*/
  while (n > 0) { n--; sum++; }
  return sum;
}
