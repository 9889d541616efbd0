// contracts: loop
// verdict: unknown
// says: `__CPROVER_obeys_contract` in a contract of a loop
int larger(int x)
__CPROVER_ensures(__CPROVER_return_value > x);

int main(void) {
  int (*f)(int) = larger;
  int i = 0;
  while (i < 3)
    __CPROVER_loop_invariant(__CPROVER_obeys_contract(f, larger))
  { i++; }
  return 0;
}
