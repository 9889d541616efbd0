// What the contract of a pointer assigns must be what the caller may assign.
// contracts: enforce apply
// function: apply
// verdict: unsafe
int count, other;

void counts(void)
__CPROVER_assigns(count, other)
__CPROVER_ensures(count == 0);

void apply(void (*f)(void))
__CPROVER_requires(__CPROVER_obeys_contract(f, counts))
__CPROVER_assigns(count)
{
  f();
}
