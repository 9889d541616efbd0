// property: unreach-call
// verdict: unknown
// The library may call its functions what it likes; they do not return just anything.
extern int __ilogbf(float x);
extern void reach_error(void);
int main(void) {
  if (__ilogbf(1.0f) != 0) {
    reach_error();
  }
  return 0;
}
