// A pointer to a function in a struct.
// contracts: enforce run
// function: run
// verdict: safe
struct operations { int (*get)(int); int last; };

int small(int x)
__CPROVER_requires(x > 0)
__CPROVER_ensures(__CPROVER_return_value >= 0 && __CPROVER_return_value < x);

int run(struct operations *o)
__CPROVER_requires(__CPROVER_is_fresh(o, sizeof(*o)))
__CPROVER_requires(__CPROVER_obeys_contract(o->get, small))
__CPROVER_assigns(o->last)
__CPROVER_ensures(__CPROVER_return_value >= 0 && __CPROVER_return_value < 10)
{
  o->last = o->get(10);
  return o->last;
}
