// contracts: enforce f
// verdict: unsafe
void f(_Bool c, int *x)
__CPROVER_assigns(c : *x)
{ *x = 1; }
_Bool any(void);
int main(void) { int x; f(any(), &x); }
