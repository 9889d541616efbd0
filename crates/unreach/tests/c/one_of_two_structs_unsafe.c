// property: assert
// verdict: unsafe
// A pointer to one of two structs, through several functions.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

struct queue {
  int count;
  int limit;
};

static void push(struct queue *q, int in) {
  if (in > 0 && q->count < q->limit) q->count++;
}

static void pop(struct queue *q, int in) {
  if (in < 0 && q->count > 0) q->count--;
}

int main(void) {
  struct queue a = {0, 100}, b = {0, 10};
  while (1) {
    struct queue *q = __VERIFIER_nondet_int() ? &a : &b;
    push(q, __VERIFIER_nondet_int());
    pop(q, __VERIFIER_nondet_int());
    push(q, __VERIFIER_nondet_int());
    assert(a.count >= 0 && a.count <= a.limit);
    assert(b.count >= 0 && b.count <= 2);
  }
}
