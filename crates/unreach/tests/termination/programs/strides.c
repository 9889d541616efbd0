//@ ends: always
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 1000) return 0;
  for (unsigned i = 0; i < n; i += 3) {}
  return 0;
}
