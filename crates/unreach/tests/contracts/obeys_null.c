// Null is no function, so it does not obey.
// contracts: use apply
// verdict: unsafe
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int apply(int (*f)(int), int x)
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x)
{
  return f(x);
}

int main(void) {
  apply(0, 3);
  return 0;
}
