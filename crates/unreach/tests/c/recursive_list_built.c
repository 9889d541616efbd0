// property: valid-memaccess
// verdict: safe
// A list that a recursive procedure builds is read by another one, and freed in a loop: the fields of a block are written when the rest is built.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
static struct node *build(int d) {
  if (d <= 0) return 0;
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->v = d;
  n->next = build(d - 1);
  return n;
}
static int odd(const struct node *n) { return n ? 1 - odd(n->next) : 0; }
int main(void) {
  struct node *h = build(__VERIFIER_nondet_int());
  odd(h);
  while (h) {
    struct node *t = h->next;
    free(h);
    h = t;
  }
  return 0;
}
