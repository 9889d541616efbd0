// contracts: enforce f; loop
// verdict: safe
// What is found of the loop is all of `s`, what it changes is only a part, which the function lists.
struct s { int n; int a[4]; } s;
void f(void)
__CPROVER_assigns(s.a)
{
  unsigned i = 0;
  while (i < 4)
    __CPROVER_loop_invariant(i <= 4)
  { s.a[i] = 1; i++; }
}
int main(void) { f(); }
