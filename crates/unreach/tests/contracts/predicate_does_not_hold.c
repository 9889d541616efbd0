// contracts: enforce
// verdict: unsafe
/*@ predicate small(integer x) = -1000 <= x <= 1000; */

/*@ requires small(x);
  @ assigns \nothing;
  @ ensures small(\result);
  @*/
int doubled(int x) { return x + x; }
