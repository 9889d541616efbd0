// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// harness: memory that nobody has written is zero in the test, so its link is null
// The last block gets no link.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
static struct node *build(int d) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->v = d;
  if (d > 0) n->next = build(d - 1);
  return n;
}
static int odd(const struct node *n) { return n ? 1 - odd(n->next) : 0; }
int main(void) {
  odd(build(__VERIFIER_nondet_int() != 0));
  return 0;
}
