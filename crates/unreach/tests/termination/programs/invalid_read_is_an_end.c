//@ ends: always
// Only a read behind the end of the array could make the loop go on.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[2];
  a[0] = 1;
  a[1] = 1;
  int *p = a;
  int i = __VERIFIER_nondet_int();
  if (i < 0) i = 0;
  while (p[i] == 0) { }
  return 0;
}
