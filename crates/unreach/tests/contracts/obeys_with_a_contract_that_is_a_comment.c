// The contract of `next` is the right one, but in this run it is a comment, and nobody has shown it.
// contracts: use apply
// verdict: unknown
// says: whether a function obeys a contract that is not its own
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int next(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x)
{
  return x - 1;
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
