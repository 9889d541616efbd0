// A value of before may depend on what a quantifier binds, where an arbitrary value is the witness.
// contracts: enforce
// verdict: safe
/*@ requires 0 <= k < 4 && \valid(a + (0 .. 3));
  @ assigns a[k];
  @ ensures \forall integer i; 0 <= i < 4 && i != k ==> a[i] == \old(a[i]);
  @*/
void set(int *a, int k) { a[k] = 5; }
