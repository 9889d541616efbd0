// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The right half of the tree is freed before it is counted.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *l, *r; };
static struct tree *make(int d) {
  if (d <= 0 || __VERIFIER_nondet_int()) return 0;
  struct tree *n = malloc(sizeof *n);
  if (!n) abort();
  n->key = d;
  n->l = make(d - 1);
  n->r = make(d - 1);
  return n;
}
static int height(const struct tree *n) {
  if (!n) return 0;
  int a = height(n->l), b = height(n->r);
  return a > b ? a : b;
}
int main(void) {
  struct tree *t = make(2);
  if (t) {
    free(t->r);
    height(t);
  }
  return 0;
}
