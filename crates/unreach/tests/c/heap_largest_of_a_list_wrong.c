// property: assert
// verdict: unsafe
// One value is passed over.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
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
  for (struct node *p = head; p; p = p->next) assert(p->value <= largest);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
