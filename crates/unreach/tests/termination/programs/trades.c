//@ ends: always
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0 && y > 0) {
    int before = x;
    if (__VERIFIER_nondet_int()) {
      x = x - 1;
      y = before;
    } else {
      x = y - 2;
      y = before + 1;
    }
  }
  return 0;
}
