// property: valid-memsafety
// verdict: safe
// A ring of any length with a block of its own at its beginning is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) abort();
  head->v = 0; head->next = head;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = 1; n->next = head->next; head->next = n;
  }
  struct node *p = head->next;
  while (p != head) { struct node *t = p->next; free(p); p = t; }
  free(head);
  return 0;
}
