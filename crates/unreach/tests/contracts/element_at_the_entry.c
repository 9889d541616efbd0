// contracts: enforce f
// verdict: safe
// The index of the target is that of the entry.
int a[4], i;
void f(void)
__CPROVER_requires(0 <= i && i < 3)
__CPROVER_assigns(a[i], i)
{ a[i] = 1; i = i + 1; }
int any(void);
int main(void) { i = any(); f(); }
