// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// A list is turned around and loses its beginning on the way.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->value = __VERIFIER_nondet_int();
    node->next = head;
    head = node;
  }
  struct node *turned = 0;
  while (head) {
    struct node *next = head->next;
    head->next = turned; if (turned && turned->value != 1) head->next = 0;
    turned = head;
    head = next;
  }
  while (turned) {
    struct node *next = turned->next;
    free(turned);
    turned = next;
  }
  return 0;
}
