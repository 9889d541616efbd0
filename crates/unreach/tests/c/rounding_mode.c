// property: unreach-call
// verdict: safe
// Numbers are rounded to the nearest as long as nobody asks for something else.
extern int fegetround(void);
extern void reach_error(void);
int main(void) {
  if (fegetround() != 0) {
    reach_error();
  }
  return 0;
}
