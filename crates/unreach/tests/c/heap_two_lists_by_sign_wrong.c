// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// A number below zero gets into the other list.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char kept[1]; // What does not hold writes beside it.
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = NULL, *other = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = __VERIFIER_nondet_int();
    if (n->value >= -1) {
      n->next = head;
      head = n;
    } else {
      n->next = other;
      other = n;
    }
  }
  for (struct node *p = head; p; p = p->next) kept[!(p->value >= 0)] = 1;
  for (struct node *p = other; p; p = p->next) kept[!(p->value < 0)] = 1;
  return 0;
}
