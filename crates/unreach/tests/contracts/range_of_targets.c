// contracts: enforce
// verdict: safe
/*@ requires n <= 8 && \valid(a + (0 .. n - 1));
  @ assigns a[0..n-1];
  @*/
void clear(int *a, unsigned n) {
  /*@ loop invariant 0 <= k <= n;
    @ loop assigns k, a[0..n-1];
    @ loop variant n - k;
    @*/
  for (unsigned k = 0; k < n; k++) a[k] = 0;
}
