// contracts: enforce apply
// function: apply
// verdict: invalid
// says: another type
int larger(int x, int y)
__CPROVER_ensures(__CPROVER_return_value > x);

int apply(int (*f)(int))
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
{
  return f(3);
}
