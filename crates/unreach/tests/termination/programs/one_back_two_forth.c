//@ ends: always
// From an odd number one back, from an even number two forth.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x < 100) {
    if (x % 2 != 0) { x--; } else { x += 2; }
  }
  return 0;
}
