// A loop that runs keeps its measure in variables of its own, which are none of the program.
// contracts: check
// verdict: safe
/*@ predicate zero(int *a, integer n) = \forall integer i; 0 <= i < n ==> a[i] == 0; */
/*@ requires \valid(a + (0 .. 3));
  @ assigns a[0 .. 3];
  @ ensures zero(a, 4);
  @*/
void clear(int *a) {
  /*@ loop invariant k <= 4 && zero(a, k);
    @ loop assigns k, a[0 .. 3];
    @ loop variant 4 - k;
    @*/
  for (unsigned k = 0; k < 4; k++) a[k] = 0;
}
