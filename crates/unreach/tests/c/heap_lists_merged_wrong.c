// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// Nothing was taken if both lists are empty, and null gets a link.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
static struct node *make(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->key = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  return head;
}
static struct node *merge(struct node *a, struct node *b) {
  struct node *head = NULL, *tail = NULL;
  while (a && b) {
    struct node *take;
    if (a->key <= b->key) { take = a; a = a->next; }
    else { take = b; b = b->next; }
    if (tail) tail->next = take; else head = take;
    tail = take;
  }
  struct node *rest = a ? a : b;
  tail->next = rest;
  return head;
}
int main(void) {
  struct node *a = make();
  struct node *b = make();
  struct node *all = merge(a, b);
  while (all) {
    struct node *next = all->next;
    free(all);
    all = next;
  }
  return 0;
}
