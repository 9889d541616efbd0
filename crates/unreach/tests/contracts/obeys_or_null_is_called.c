// Where the pointer may be null, it is also looked at what happens if it is not.
// contracts: enforce apply
// function: apply
// verdict: unsafe
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int apply(int (*f)(int), int x)
__CPROVER_requires(f ==> __CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value == x)
{
  return f ? f(x) : x;
}
