// contracts: enforce outer
// verdict: unsafe
// says: a write that the contract does not allow
int a, b;
void inner(int *p) { *p = 3; }
void outer(int which)
__CPROVER_assigns(a)
{ inner(which ? &a : &b); }
int any(void);
int main(void) { outer(any()); }
