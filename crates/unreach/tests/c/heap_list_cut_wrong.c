// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The block is freed, and still linked if it was not the first one.
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
  if (p) { if (!prev) head = p->next; free(p); }
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
