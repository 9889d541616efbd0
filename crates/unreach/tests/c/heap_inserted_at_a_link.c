// property: valid-memaccess
// verdict: safe
// Blocks are inserted into a sorted list by the address of the link that shall lead to them.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
static void insert(struct node **link, int key) {
  struct node *n = malloc(sizeof *n);
  if (!n) return;
  n->key = key;
  while (*link && (*link)->key < key) link = &(*link)->next;
  n->next = *link;
  *link = n;
}
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) insert(&head, __VERIFIER_nondet_int());
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
