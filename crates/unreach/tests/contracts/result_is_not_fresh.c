// The object is the caller's, and it is too small.
// contracts: enforce
// verdict: unsafe
static char own[2];

char *make(void)
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4))
{
  return own;
}
