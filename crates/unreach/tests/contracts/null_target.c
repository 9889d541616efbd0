// contracts: enforce f
// verdict: unsafe
// The target is not there if `p` is null; this execution counts all the same.
void f(int *p)
__CPROVER_assigns(*p)
__CPROVER_ensures(p == 0 || *p == __CPROVER_old(*p))
{ if (p == 0) __CPROVER_assert(0, "comes here"); }
int main(void) { f(0); }
