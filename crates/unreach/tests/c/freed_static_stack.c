// property: valid-memsafety
// verdict: safe
// A stack of any length that a variable with static lifetime points to is emptied by a function.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
static struct node *top;
static void push(int value) {
  struct node *node = malloc(sizeof *node);
  if (!node) exit(1);
  node->value = value;
  node->next = top;
  top = node;
}
static void pop(void) {
  struct node *old = top;
  top = top->next;
  free(old);
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) push(__VERIFIER_nondet_int());
    else if (top) pop();
  }
  while (top) pop();
  return 0;
}
