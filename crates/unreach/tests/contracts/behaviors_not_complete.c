// contracts: enforce
// verdict: unsafe
/*@ requires x > -100;
  @ assigns \nothing;
  @ behavior negative: assumes x < 0; ensures \result == -x;
  @ behavior positive: assumes x > 0; ensures \result == x;
  @ complete behaviors;
  @*/
int absolute(int x) { return x < 0 ? -x : x; }
