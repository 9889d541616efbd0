// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The end of the queue still points to the block that was taken last.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct queue { struct node *head, *tail; };
static void init(struct queue *q) { q->head = NULL; q->tail = NULL; }
static int push(struct queue *q, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) return -1;
  n->value = value;
  n->next = NULL;
  if (q->tail) q->tail->next = n; else q->head = n;
  q->tail = n;
  return 0;
}
static int pop(struct queue *q, int *value) {
  struct node *n = q->head;
  if (!n) return -1;
  *value = n->value;
  q->head = n->next;
  free(n);
  return 0;
}
int main(void) {
  struct queue q;
  int v;
  init(&q);
  for (;;) {
    int choice = __VERIFIER_nondet_int();
    if (choice == 0) break;
    if (choice > 0) push(&q, choice);
    else pop(&q, &v);
  }
  while (pop(&q, &v) == 0) ;
  return 0;
}
