// property: unreach-call
// verdict: unknown
// The rounding mode is what the program has set it to, not an input.
extern int fegetround(void);
extern void reach_error(void);
int main(void) {
  if (fegetround() != 0) {
    reach_error();
  }
  return 0;
}
