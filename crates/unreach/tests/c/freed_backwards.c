// property: valid-memsafety
// verdict: safe
// A list of any length is turned around and freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    node->next = head;
    head = node;
  }
  struct node *turned = 0;
  while (head) {
    struct node *next = head->next;
    head->next = turned;
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
