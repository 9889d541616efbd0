// contracts: use get
// verdict: unsafe
// The contract says nothing of where the result points; the body lets it point to `x`.
int x;
int *get(void)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_rw_ok(__CPROVER_return_value, sizeof(int)))
{ return &x; }
int main(void) {
  x = 1;
  int *p = get();
  *p = 2;
  __CPROVER_assert(x == 1, "it may have been changed through the pointer");
}
