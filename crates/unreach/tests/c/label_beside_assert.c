// property: assert
// verdict: safe
// Where there are assertions, a label is a label.

#include <assert.h>

int main(void) {
  int x = 3;
  assert(x == 3);
  goto ERROR;
ERROR:
  return x;
}
