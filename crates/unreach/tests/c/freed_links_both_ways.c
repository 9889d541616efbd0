// property: valid-memsafety
// verdict: safe
// A block is cut out of a list of any length with links in both directions, and all are freed.
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
    if (p->next) p->next->prev = p->prev;
    free(p);
  }
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
