// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The address of a link is one in a block that has been freed.
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
      link = &n->next;
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
