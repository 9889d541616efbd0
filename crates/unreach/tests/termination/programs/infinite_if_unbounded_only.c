//@ ends: not always
//@ todo: a signed overflow has no meaning, so neither answer is right
// If numbers are unbounded this does not end; if they wrap around it does.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 0) { x++; }
  return 0;
}
