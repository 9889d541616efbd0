//@ ends: not always
// Every coin has two values, which make no difference to whether the run goes on.
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int state = __VERIFIER_nondet_int();
  int other = 0;
start:
  if (__VERIFIER_nondet_bool()) {
    if (state > 3) other = __VERIFIER_nondet_int();
    goto start;
  }
  if (__VERIFIER_nondet_bool()) {
    if (!(state <= other)) return 0;
    other = other - 1;
    goto start;
  }
  if (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) state = 4;
    if (__VERIFIER_nondet_bool()) other = 2;
    goto start;
  }
  return 0;
}
