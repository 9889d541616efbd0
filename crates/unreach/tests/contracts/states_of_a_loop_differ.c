// contracts: enforce
// verdict: unsafe
/*@ requires 0 <= n <= 1000; assigns \nothing; */
int f(int n) {
  int sum = n;
  n = 1;
  /*@ loop invariant n <= \at(n, LoopEntry);
    @ loop invariant n == \at(n, Pre);
    @ loop assigns n, sum;
    @*/
  while (n > 0) { n--; sum++; }
  return sum;
}
