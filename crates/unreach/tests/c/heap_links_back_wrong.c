// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// One link to the block stays.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next, *prev; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = __VERIFIER_nondet_int(); n->prev = 0; n->next = head; if (head) head->prev = n; head = n;
  }
  int x = __VERIFIER_nondet_int();
  struct node *p = head;
  while (p && p->v != x) p = p->next;
  if (p) {
    if (!p->prev) head = p->next;
    if (p->next) p->next->prev = p->prev;
    free(p);
  }
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
