// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// A stack of any length, of which two blocks are taken off at once and one is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *top = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->value = 1;
      node->next = top;
      top = node;
    } else if (top) {
      struct node *old = top;
      top = top->next ? top->next->next : 0;
      free(old);
    }
  }
  while (top) {
    struct node *next = top->next;
    free(top);
    top = next;
  }
  return 0;
}
