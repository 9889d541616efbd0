// The same words about other parameters are another contract.
// contracts: enforce
// verdict: unknown
// says: whether a function obeys a contract that is not its own
int less(int a, int b)
__CPROVER_requires(a < b)
__CPROVER_ensures(__CPROVER_return_value == a);

int first(int b, int a)
__CPROVER_requires(a < b)
__CPROVER_ensures(__CPROVER_return_value == a)
{
  return a;
}

int apply(int (*f)(int, int))
__CPROVER_requires(__CPROVER_obeys_contract(f, less))
__CPROVER_ensures(__CPROVER_return_value == 1)
{
  return f(1, 2);
}

int main(void) {
  apply(first);
  return 0;
}
