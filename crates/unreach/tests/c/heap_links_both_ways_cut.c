// property: valid-memaccess
// verdict: safe
// Blocks anywhere in a list with links in both directions are cut out: its links are wrong only between the statements that do so.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *prev, *next; };
static struct node *first;
static void add(int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) return;
  n->value = value;
  n->prev = NULL;
  n->next = first;
  if (first) first->prev = n;
  first = n;
}
static void removes(struct node *n) {
  if (n->prev) n->prev->next = n->next; else first = n->next;
  if (n->next) n->next->prev = n->prev;
  free(n);
}
int main(void) {
  int k;
  while ((k = __VERIFIER_nondet_int()) != 0) {
    if (k > 0) add(k);
    else {
      struct node *n = first;
      while (n && n->value != -k) n = n->next;
      if (n) removes(n);
    }
  }
  while (first) removes(first);
  return 0;
}
