// property: assert
// verdict: safe
// Ring buffers of a fixed capacity, with what is taken out of one put into the next.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
#define CAPACITY 8

struct ring {
  int data[CAPACITY];
  int head, tail, count;
};

static void put(struct ring *r, int v) {
  if (r->count == CAPACITY) return;
  r->data[r->head] = v;
  r->head = (r->head + 1) % CAPACITY;
  r->count++;
}

static int get(struct ring *r, int *v) {
  if (r->count == 0) return 0;
  *v = r->data[r->tail];
  r->tail = (r->tail + 1) % CAPACITY;
  r->count--;
  return 1;
}

static struct ring in, out;

int main(void) {
  while (1) {
    int v = 0;
    put(&in, __VERIFIER_nondet_int());
    if (__VERIFIER_nondet_int() && get(&in, &v)) put(&out, v);
    if (__VERIFIER_nondet_int()) get(&out, &v);
    assert(in.count >= 0 && in.count <= CAPACITY && in.head >= 0 && in.head < CAPACITY);
    assert(out.count >= 0 && out.count <= CAPACITY && out.tail >= 0 && out.tail < CAPACITY);
  }
}
