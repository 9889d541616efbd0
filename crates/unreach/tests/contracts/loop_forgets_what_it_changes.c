// contracts: loop
// verdict: unsafe
// The invariant says nothing of `x`, so nothing is known of it behind the loop.
int main(void) {
  int i = 0, x = 5;
  while (i < 10)
    __CPROVER_loop_invariant(0 <= i && i <= 10)
  { i++; x = 5; }
  __CPROVER_assert(x == 5, "true, but not by the invariant");
}
