// A function may promise that a pointer obeys, which its callers use; and it has to keep the promise.
// contracts: enforce
// verdict: safe
typedef int (*function)(int);

int larger(int x)
__CPROVER_requires(x < 1000)
__CPROVER_ensures(__CPROVER_return_value > x);

function choose(void)
__CPROVER_ensures(__CPROVER_obeys_contract(__CPROVER_return_value, larger))
{
  return larger;
}

int main(void) {
  function f = choose();
  int y = f(3);
  __CPROVER_assert(y > 3, "it is larger");
  return 0;
}
