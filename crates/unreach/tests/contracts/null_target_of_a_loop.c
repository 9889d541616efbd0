// contracts: loop
// verdict: unsafe
struct s { int x; };
int main(void) {
  struct s *p = 0;
  __ESBMC_loop_invariant(1);
  while (p) { p->x = 1; p = 0; }
  __ESBMC_assert(0, "comes here");
}
