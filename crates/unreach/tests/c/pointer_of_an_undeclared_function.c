// verdict: refused
// property: unreach-call
// data-model: ilp32
// The function is called before anybody says that it returns a pointer: compilers refuse that.
extern void abort(void);
void reach_error(void) { abort(); }

int cell;

int main(void) {
  int *p = later(3);
  *p = 7;
  if (cell != 7) reach_error();
  return 0;
}

int *later(int x) { return &cell; }
