// property: valid-memaccess
// verdict: safe
// Blocks are put before two lists in turn, which are freed one after the other.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
static struct node *cons(int key, struct node *next) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->key = key;
  n->next = next;
  return n;
}
static void free_list(struct node *n) {
  while (n) {
    struct node *next = n->next;
    free(n);
    n = next;
  }
}
int main(void) {
  struct node *odd = NULL, *even = NULL;
  while (__VERIFIER_nondet_int()) {
    int k = __VERIFIER_nondet_int();
    if (k % 2) odd = cons(k, odd);
    else even = cons(k, even);
  }
  free_list(odd);
  free_list(even);
  return 0;
}
