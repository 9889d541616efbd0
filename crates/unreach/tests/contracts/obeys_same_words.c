// A function obeys a contract if its own is the same but for the names of parameters.
// contracts: enforce
// verdict: safe
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int next(int number)
__CPROVER_requires(number < 1000)
__CPROVER_ensures(__CPROVER_return_value > number)
{
  return number + 1;
}

int apply(int (*f)(int), int x)
__CPROVER_requires(__CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x)
{
  return f(x);
}

int main(void) {
  int y = apply(next, 3);
  __CPROVER_assert(y > 3, "it is larger");
  return 0;
}
