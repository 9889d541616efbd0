// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The block is freed before its link is read.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
static void drop(struct node *n) {
  if (!n) return;
  free(n);
  drop(n->next);
}
int main(void) {
  struct node *h = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = __VERIFIER_nondet_int();
    n->next = h;
    h = n;
  }
  drop(h);
  return 0;
}
