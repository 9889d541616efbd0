// property: valid-memaccess
// verdict: safe
// A block in the middle of a list of any length is cut out and freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = __VERIFIER_nondet_int(); n->next = head; head = n;
  }
  int x = __VERIFIER_nondet_int();
  struct node *prev = 0, *p = head;
  while (p && p->v != x) { prev = p; p = p->next; }
  if (p) { if (prev) prev->next = p->next; else head = p->next; free(p); }
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
