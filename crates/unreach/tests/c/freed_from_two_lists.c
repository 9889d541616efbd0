// property: valid-memcleanup
// verdict: safe
// Blocks are moved from one list to another, and both are freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *free_list = 0, *used = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = 0; n->next = free_list; free_list = n;
  }
  while (free_list && __VERIFIER_nondet_int()) {
    struct node *n = free_list;
    free_list = n->next;
    n->next = used; used = n;
  }
  while (used) { struct node *t = used->next; free(used); used = t; }
  while (free_list) { struct node *t = free_list->next; free(free_list); free_list = t; }
  return 0;
}
