// contracts: enforce f
// function: f
// verdict: unsafe
// Nothing says that the two pointers differ.
void f(int *a, int *b)
{
  __ESBMC_requires(a != 0 && b != 0);
  __ESBMC_ensures(*b == __ESBMC_old(*b));
  *a = 1;
}
