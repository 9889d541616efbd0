// contracts: enforce f
// verdict: safe
#include <stdlib.h>
int f(int n)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == n)
{
  static int calls;
  int local[2], *p = local, *q = malloc(sizeof(int));
  p[1] = n;
  *q = p[1];
  calls = 1;
  n = 0;
  return *q;
}
int any(void);
int main(void) { f(any()); }
