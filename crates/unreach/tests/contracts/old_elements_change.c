// contracts: enforce
// verdict: unsafe
/*@ requires 0 <= k < 3 && \valid(a + (0 .. 3));
  @ ensures \forall integer i; 0 <= i < 4 && i != k ==> a[i] == \old(a[i]);
  @*/
void set(int *a, int k) { a[k] = 5; a[3] = 6; }
