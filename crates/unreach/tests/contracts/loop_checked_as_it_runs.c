// contracts: check-loops
// verdict: safe
// The invariant holds in every iteration, though it is not inductive.
int main(void) {
  int i = 0, x = 0;
  while (i < 10)
    __CPROVER_loop_invariant(x <= 10)
  { i++; x++; }
}
