// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The last block is not marked.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char kept[1]; // What does not hold writes beside it.
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = 0;
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p && p->next; p = p->next) p->value = 1;
  for (struct node *p = head; p; p = p->next) kept[!(p->value == 1)] = 1;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
