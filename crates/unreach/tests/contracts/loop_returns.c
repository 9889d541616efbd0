// contracts: loop
// verdict: safe
// Behind the return the list of the loop does not count any more.
int g;
int find(int n) {
  int i = 0;
  while (i < n)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(0 <= i)
  { if (i == 3) return 1; i++; }
  return 0;
}
int main(void) { if (find(10)) g = 1; }
