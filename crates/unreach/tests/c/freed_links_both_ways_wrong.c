// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The first block is cut out of a list with links in both directions, and the second one still points to it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next, *prev; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = __VERIFIER_nondet_int(); n->next = head; n->prev = 0;
    if (head) head->prev = n;
    head = n;
  }
  struct node *p = head;
  while (p && p->v != 3) p = p->next;
  if (p) {
    if (p->prev) p->prev->next = p->next; else head = p->next;
    if (p->next && p->prev) p->next->prev = p->prev;
    free(p);
  }
  while (head) {
    struct node *t = head->next;
    if (head->prev) head->prev->next = 0;
    free(head);
    if (t) t->prev = 0;
    head = t;
  }
  return 0;
}
