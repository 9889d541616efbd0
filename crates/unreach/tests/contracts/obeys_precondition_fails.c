// Who calls a pointer that obeys a contract has to establish its precondition.
// contracts: enforce apply
// function: apply
// verdict: unsafe
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int apply(int (*f)(int), int x)
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x <= 1000)
{
  return f(x);
}
