// contracts: enforce
// verdict: unsafe
/*@ requires x > -100;
  @ assigns \nothing;
  @ behavior negative: assumes x <= 0; ensures \result == -x;
  @ behavior positive: assumes x >= 0; ensures \result == x;
  @ disjoint behaviors negative, positive;
  @*/
int absolute(int x) { return x < 0 ? -x : x; }
