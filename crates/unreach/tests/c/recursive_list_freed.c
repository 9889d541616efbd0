// property: valid-memaccess
// verdict: safe
// Each block is freed when all behind it are: those before it live still.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
static void drop(struct node *n) {
  if (!n) return;
  drop(n->next);
  free(n);
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
