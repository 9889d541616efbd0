//@ ends: always
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  while (1) { if (__VERIFIER_nondet_int()) abort(); else abort(); }
}
