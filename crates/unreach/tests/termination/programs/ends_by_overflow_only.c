//@ ends: not always
// A signed overflow has no meaning, so the run is infinite unless something stops the program there: it is one if numbers
// wrap around, and if they are unbounded.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (1) { x++; }
  return 0;
}
