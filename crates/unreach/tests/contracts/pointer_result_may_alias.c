// contracts: use get
// verdict: unsafe
// The contract allows that the result points to `x`, and the body does it.
int x;
int *get(void)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == &x)
{ return &x; }
int main(void) {
  x = 1;
  int *p = get();
  *p = 2;
  __CPROVER_assert(x == 1, "it was changed through the pointer");
}
