// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// The last block of a ring is not freed.
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
  while (p != head && p->next != head) { struct node *t = p->next; free(p); p = t; }
  free(head);
  return 0;
}
