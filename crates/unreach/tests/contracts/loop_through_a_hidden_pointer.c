// contracts: loop
// verdict: unknown
// What the loop changes cannot be found in its text: it is not taken for nothing.
int x, y;
int *choose(int i) { return i ? &x : &y; }
int main(void) {
  x = 0;
  int i = 0;
  while (i < 2)
    __CPROVER_loop_invariant(0 <= i && i <= 2)
  { *choose(i) = 1; i++; }
  __CPROVER_assert(x == 0, "it is changed");
}
