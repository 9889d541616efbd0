// contracts: enforce
// verdict: safe
/*@ requires x > -100;
  @ assigns \nothing;
  @ behavior negative: assumes x < 0; ensures \result == -x;
  @ behavior other: assumes x >= 0; ensures \result == x;
  @ complete behaviors negative, other;
  @ disjoint behaviors;
  @*/
int absolute(int x) { return x < 0 ? -x : x; }
