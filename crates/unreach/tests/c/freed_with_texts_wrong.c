// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// Every block of a list of any length owns another one, which is not freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { char *text; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->text = malloc(10);
    if (!n->text) abort();
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *t = head->next;

    free(head);
    head = t;
  }
  return 0;
}
