// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// One value is passed over.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char kept[1]; // What does not hold writes beside it.
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  int largest = -2147483647 - 1;
  for (struct node *p = head; p; p = p->next)
    if (p->value > largest && p->value != 7) largest = p->value;
  for (struct node *p = head; p; p = p->next) kept[!(p->value <= largest)] = 1;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
