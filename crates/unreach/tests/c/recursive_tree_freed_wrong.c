// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// Both links lead to the same half.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *l, *r; };
static void drop(struct tree *n) {
  if (!n) return;
  drop(n->l);
  drop(n->r);
  free(n);
}
static struct tree *make(int d) {
  if (d <= 0 || __VERIFIER_nondet_int()) return 0;
  struct tree *n = malloc(sizeof *n);
  if (!n) abort();
  n->key = d;
  n->l = make(d - 1);
  n->r = n->l;
  return n;
}
int main(void) {
  drop(make(2));
  return 0;
}
