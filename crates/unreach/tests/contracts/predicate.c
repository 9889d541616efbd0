// A predicate stands for its body, and a logic function for its value.
// contracts: enforce
// verdict: safe
/*@ predicate small(integer x) = -1000 <= x <= 1000;
  @ predicate ordered(int *p, int *q) = *p <= *q;
  @ logic integer twice(integer x) = 2 * x;
  @*/

/*@ requires small(x);
  @ assigns \nothing;
  @ ensures \result == twice(\old(x)) && small(\result / 2);
  @*/
int doubled(int x) { return x + x; }

/*@ requires \valid(p) && \valid(q);
  @ assigns *p, *q;
  @ ensures ordered(p, q);
  @*/
void sort(int *p, int *q) {
  if (*p > *q) { int t = *p; *p = *q; *q = t; }
}
