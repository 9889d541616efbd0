// contracts: enforce f
// verdict: invalid
int f(int x)
__CPROVER_requires(__CPROVER_old(x) > 0)
{ return x; }
int main(void) { f(1); }
