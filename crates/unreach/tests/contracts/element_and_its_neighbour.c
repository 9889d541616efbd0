// contracts: enforce f
// verdict: unsafe
int a[4];
void f(unsigned i)
__CPROVER_requires(i < 3)
__CPROVER_assigns(a[i])
{ a[i] = 1; a[i + 1] = 1; }
unsigned any(void);
int main(void) { f(any()); }
