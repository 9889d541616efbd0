// `next` has a contract that says less: whether it obeys is not found out.
// contracts: enforce
// verdict: unknown
// says: whether a function obeys a contract that is not its own
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int next(int number)
__CPROVER_requires(number < 1000)
__CPROVER_ensures(__CPROVER_return_value >= number)
{
  return number;
}

int apply(int (*f)(int), int x)
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x)
{
  return f(x);
}

int main(void) {
  apply(next, 3);
  return 0;
}
