// contracts: enforce f
// function: f
// check: memory
// verdict: unsafe
void f(int *p)
{
  __ESBMC_ensures(1);
  *p = 1;
}
