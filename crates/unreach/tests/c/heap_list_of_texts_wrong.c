// property: valid-memaccess
// verdict: unsafe
// fails: valid-free
// A list of any length whose blocks own texts of any size; the text of the next block is freed twice.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { char *text; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > 1000) continue;
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->text = malloc(size);
    if (!n->text) return 1;
    n->text[0] = 'a';
    n->next = head;
    head = n;
  }
  int count = 0;
  for (struct node *p = head; p; p = p->next)
    if (p->text[0] == 'a' && count < 1000) count++;
  while (head) {
    struct node *next = head->next;
    free(head->text);
    free(head);
    if (next) free(next->text);
    head = next;
  }
  return 0;
}
