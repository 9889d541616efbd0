// contracts: loop
// verdict: unsafe
// says: loop invariant behind an iteration
int main(void) {
  int i = 0, x = 0;
  while (i < 10)
    __CPROVER_loop_invariant(x <= 10)
  { i++; x++; }
}
