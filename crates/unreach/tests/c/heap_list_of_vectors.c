// property: valid-memaccess
// verdict: safe
// A list of any length whose blocks own arrays and know how long they are.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct vector { int *data; int length; struct vector *next; };
int main(void) {
  struct vector *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) continue;
    struct vector *v = malloc(sizeof *v);
    if (!v) return 1;
    v->data = malloc(n * sizeof(int));
    if (!v->data) { free(v); return 1; }
    v->length = n;
    v->next = head;
    head = v;
  }
  for (struct vector *v = head; v; v = v->next)
    for (int i = 0; i < v->length; i++) v->data[i] = i;
  return 0;
}
