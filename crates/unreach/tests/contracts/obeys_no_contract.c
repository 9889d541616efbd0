// contracts: enforce apply
// function: apply
// verdict: invalid
// says: no function `larger` with a contract
int larger(int x);

int apply(int (*f)(int))
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
{
  return f(3);
}
