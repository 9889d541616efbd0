// A pointer that obeys a contract is called by it: for every function that obeys, the result is larger.
// contracts: enforce apply
// function: apply
// check: memory
// verdict: safe
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
