// What decreases below zero is no measure, also where C would wrap around.
// contracts: enforce
// verdict: unsafe
/*@ assigns \nothing; */
void f(unsigned n) {
  unsigned i = 0;
  /*@ loop invariant i <= n;
    @ loop assigns i;
    @ loop variant n - i - 1;
    @*/
  while (i <= n) { if (i == n) break; i++; if (i == 5) continue; }
  /*@ loop invariant 0 <= i;
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  while (i < n + 5) { i++; }
}
