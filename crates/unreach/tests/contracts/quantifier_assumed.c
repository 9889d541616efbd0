// contracts: use f
// verdict: safe
int a[5];
void f(void)
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { int i; (0 <= i && i < 5) ==> a[i] == 7 })
;
unsigned any(void);
int main(void) {
  unsigned k = any();
  f();
  if (k < 5) __CPROVER_assert(a[k] == 7, "for every index");
}
