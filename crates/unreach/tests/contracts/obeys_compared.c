// Any function that obeys may be meant, also `next`: the program must not look which one it is.
// contracts: enforce apply
// function: apply
// verdict: unknown
// says: a comparison of pointers to functions
int larger(int x)
__CPROVER_ensures(__CPROVER_return_value > x);

int next(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x)
{
  return x + 1;
}

int apply(int (*f)(int))
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
{
  __CPROVER_assert(f != next, "nobody can know");
  return 0;
}
