// property: valid-memsafety
// verdict: safe
// Blocks are put behind a queue of any length and taken off at its beginning; none is lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *first = 0, *last = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->value = 1;
      node->next = 0;
      if (first) last->next = node; else first = node;
      last = node;
    } else if (first) {
      struct node *old = first;
      first = first->next;
      free(old);
    }
  }
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
