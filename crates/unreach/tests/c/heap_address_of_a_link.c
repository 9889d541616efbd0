// property: valid-memsafety
// verdict: safe
// Blocks are cut out of a list of any length by the address of the link that leads to them.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->key = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  int key = __VERIFIER_nondet_int();
  struct node **link = &head;
  while (*link) {
    struct node *n = *link;
    if (n->key == key) {
      *link = n->next;
      free(n);
    } else {
      link = &n->next;
    }
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
