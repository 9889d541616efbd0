// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// One value is put at the end wherever it belongs.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char kept[1]; // What does not hold writes beside it.
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = NULL, *tail = NULL;
  int last = 0;
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value < last && value != 3) continue;
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = value;
    n->next = NULL;
    last = value;
    if (tail) tail->next = n;
    else head = n;
    tail = n;
  }
  for (struct node *p = head; p && p->next; p = p->next) kept[!(p->value <= p->next->value)] = 1;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
