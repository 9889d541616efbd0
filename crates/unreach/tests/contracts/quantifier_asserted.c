// contracts: enforce f
// verdict: unsafe
int a[5];
void f(void)
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { int i; (0 <= i && i < 5) ==> a[i] == 0 })
{ a[0] = a[1] = a[2] = a[4] = 0; }
int any(void);
int main(void) { a[3] = any(); f(); }
