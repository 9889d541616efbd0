// contracts: enforce
// verdict: unsafe
/*@ requires positive: x > 0;
  @ assigns \nothing;
  @ ensures bigger: \result > x;
  @*/
int f(int x) { return x > 5 ? x : x + 1; }
