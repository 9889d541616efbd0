// contracts: use f
// verdict: unsafe
void f(int *p)
__CPROVER_assigns(*p)
{ if (p) *p = 1; }
int main(void) { f(0); __CPROVER_assert(0, "comes here"); }
