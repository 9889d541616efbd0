// contracts: loop
// verdict: unsafe
// says: the measure of a loop decreases
int main(void) {
  unsigned i = 10;
  while (i != 0)
    __CPROVER_loop_invariant(i <= 10)
    __CPROVER_decreases(i)
  { if (i > 5) i--; }
}
