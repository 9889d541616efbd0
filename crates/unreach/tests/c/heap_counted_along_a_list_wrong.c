// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// Some blocks count twice.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char kept[1]; // What does not hold writes beside it.
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = NULL;
  int count = 0;
  while (count < 100000 && __VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
    count++;
  }
  int found = 0;
  for (struct node *p = head; p; p = p->next)
    found += p->value == 4 ? 2 : 1;
  kept[!(found <= count)] = 1;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
