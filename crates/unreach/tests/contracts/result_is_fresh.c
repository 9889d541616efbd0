// The result may be fresh memory: the function has to make it, and callers get it.
// contracts: enforce
// check: memory
// verdict: safe
void *malloc(unsigned long);

int *make(int value)
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, sizeof(int)) && *__CPROVER_return_value == value)
{
  int *p = malloc(sizeof(int));
  *p = value;
  return p;
}

int main(void) {
  int *a = make(3), *b = make(4);
  *a = 5;
  __CPROVER_assert(a != b && *b == 4, "they are two");
  return 0;
}
