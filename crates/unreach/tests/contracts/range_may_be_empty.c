// With `n` zero the range ends before it begins: nothing may be changed, and nothing has to be valid.
// contracts: enforce
// verdict: unsafe
/*@ requires \valid(a + (0 .. n - 1)) && \valid(a);
  @ assigns a[0 .. n - 1];
  @*/
void first(int *a, unsigned n) { *a = 0; }
