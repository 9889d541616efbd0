// property: valid-memaccess
// verdict: safe
// Blocks are put anywhere into a list of any length: nothing else points to the one that is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = __VERIFIER_nondet_int();
    if (!head || head->v >= n->v) { n->next = head; head = n; }
    else {
      struct node *p = head;
      while (p->next && p->next->v < n->v) p = p->next;
      n->next = p->next; p->next = n;
    }
  }
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
