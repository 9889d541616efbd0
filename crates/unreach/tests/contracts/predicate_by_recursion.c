// contracts: enforce
// verdict: unknown
// says: `even`, which is defined by recursion
/*@ logic integer even(integer x) = x <= 0 ? 1 : odd(x - 1);
  @ logic integer odd(integer x) = x <= 0 ? 0 : even(x - 1);
  @*/

/*@ ensures \result == even(x); */
int f(int x) { return x % 2 == 0; }
