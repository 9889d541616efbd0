// property: valid-memcleanup
// verdict: safe
// Some blocks are cut out of a list of any length and freed, then all others.
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
  struct node *before = 0, *at = head;
  while (at) {
    struct node *next = at->next;
    if (at->value < 0) {
      if (before) before->next = next; else head = next;
      free(at);
    } else before = at;
    at = next;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
