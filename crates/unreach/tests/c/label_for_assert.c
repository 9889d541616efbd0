// property: assert
// verdict: unsafe
// Nothing is asserted: the label says what must not happen.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 10 && x < 12) {
    goto ERROR;
  }
  return 0;
ERROR:
  return 1;
}
