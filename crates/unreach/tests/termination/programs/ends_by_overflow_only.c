//@ ends: not always
//@ todo: a signed overflow has no meaning, so neither answer is right
// With numbers that wrap around, or with any other meaning of an overflow that goes on, this may not end.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (1) { x++; }
  return 0;
}
