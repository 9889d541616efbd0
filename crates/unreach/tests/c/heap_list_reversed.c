// property: valid-memaccess
// verdict: safe
// A list of any length is turned around in place, so that its order says nothing about the order of allocation.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = 1; n->next = head; head = n;
  }
  struct node *r = 0;
  while (head) { struct node *t = head->next; head->next = r; r = head; head = t; }
  while (r) { struct node *t = r->next; free(r); r = t; }
  return 0;
}
