// contracts: loop
// verdict: unsafe
// says: the loop changes more than its contract lists
int main(void) {
  int i = 0, x = 0;
  while (i < 10)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(i <= 10)
  { i++; x++; }
}
