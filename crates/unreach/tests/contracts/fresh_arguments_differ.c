// contracts: enforce f
// function: f
// check: memory
// verdict: safe
void f(int *a, int *b)
{
  __ESBMC_requires(__ESBMC_is_fresh(a, sizeof(int)));
  __ESBMC_requires(__ESBMC_is_fresh(b, sizeof(int)));
  __ESBMC_assigns(*a);
  __ESBMC_ensures(*b == __ESBMC_old(*b));
  *a = 1;
}
