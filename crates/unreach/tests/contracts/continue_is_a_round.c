// contracts: loop
// verdict: unsafe
// The invariant is asserted behind a round that `continue` ends, too.
int main(void) {
  for (int i = 0, x = 0; i < 10; i++)
    __CPROVER_assigns(i, x)
    __CPROVER_loop_invariant(0 <= i && i <= 10 && x == 0)
  { if (i == 4) { x = 1; continue; } x = 0; }
}
