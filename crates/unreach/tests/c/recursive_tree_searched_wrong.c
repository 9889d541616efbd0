// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The root is searched after it has been freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *l, *r; };
static struct tree *insert(struct tree *n, int k) {
  if (!n) {
    n = malloc(sizeof *n);
    if (!n) abort();
    n->key = k;
    n->l = n->r = 0;
    return n;
  }
  if (k < n->key) n->l = insert(n->l, k);
  else if (k > n->key) n->r = insert(n->r, k);
  return n;
}
static int find(struct tree *n, int k) {
  if (!n) return 0;
  if (n->key == k) return 1;
  return find(k < n->key ? n->l : n->r, k);
}
int main(void) {
  struct tree *root = 0;
  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
  free(root);
  find(root, __VERIFIER_nondet_int());
  return 0;
}
