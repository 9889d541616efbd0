// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The stack is read below its end when it is empty.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *items; static int count, room;
static void push(int x) {
  if (count == room) { room = room ? 2 * room : 4; items = realloc(items, room * sizeof *items); if (!items) abort(); }
  items[count++] = x;
}
static int pop(void) { return items[--count]; }
int main(void) {
  for (int step = 0; step < 10000; step++) {
    if (__VERIFIER_nondet_int()) push(step);
    else if (count >= 0) pop();
  }
  free(items);
  return 0;
}
