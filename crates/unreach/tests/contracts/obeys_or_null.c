// Only where there is a function does it have to obey.
// contracts: enforce
// verdict: safe
int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

int apply(int (*f)(int), int x)
__CPROVER_requires(f ==> __CPROVER_obeys_contract(f, larger))
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value >= x)
{
  return f ? f(x) : x;
}

int main(void) {
  apply(0, 3);
  apply(larger, 4);
  return 0;
}
