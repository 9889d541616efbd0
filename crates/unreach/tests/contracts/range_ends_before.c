// contracts: enforce
// verdict: unsafe
/*@ requires 1 <= n <= 8 && \valid(a + (0 .. n - 1));
  @ assigns a[0 .. n - 2];
  @*/
void clear(int *a, unsigned n) { a[n - 1] = 0; }
