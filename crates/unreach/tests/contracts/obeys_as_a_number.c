// The same with its address.
// contracts: enforce apply
// function: apply
// verdict: unknown
// says: a pointer to a function as something else
int larger(int x)
__CPROVER_ensures(__CPROVER_return_value > x);

int apply(int (*f)(int))
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
{
  __CPROVER_assert((unsigned long)f % 2 == 0, "nobody can know");
  return 0;
}
