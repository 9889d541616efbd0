// A contract that pointers obey has a function of its own; what that one does is not what all do that obey.
// contracts: enforce apply
// function: apply
// verdict: unsafe
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x)
{
  return x + 1;
}

int apply(int (*f)(int), int x)
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value == x + 1)
{
  return f(x);
}
