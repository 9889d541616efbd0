// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The link to a leaf on the right stays behind.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *l, *r; };
int main(void) {
  struct node *root = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = __VERIFIER_nondet_int(); n->l = n->r = 0;
    if (!root) root = n;
    else {
      struct node *p = root;
      for (;;) {
        if (n->v < p->v) { if (p->l) p = p->l; else { p->l = n; break; } }
        else { if (p->r) p = p->r; else { p->r = n; break; } }
      }
    }
  }
  while (root) {
    struct node *prev = 0, *p = root;
    while (p->l || p->r) { prev = p; p = p->l ? p->l : p->r; }
    if (prev) { if (prev->l == p) prev->l = 0; } else root = 0;
    free(p);
  }
  return 0;
}
