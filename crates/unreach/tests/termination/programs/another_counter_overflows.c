//@ ends: not always
// The condition never changes; only the counter overflows, whatever that does.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int wanted = __VERIFIER_nondet_int();
  int rounds = 0;
  while (wanted >= 7) { rounds = rounds + 3; }
  return 0;
}
