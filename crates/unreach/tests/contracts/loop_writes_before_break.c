// contracts: loop
// verdict: safe
int any(void);
int main(void) {
  int i = 0, found = 0;
  while (i < 10)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(0 <= i && i <= 10)
  { if (any() == i) { found = 1; break; } i++; }
  __CPROVER_assert(found || i == 10, "either way");
}
