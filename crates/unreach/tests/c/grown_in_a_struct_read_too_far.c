// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The loop that reads the buffer reads the element behind the last one, too.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct vec { int *data; int len, cap; };
static struct vec *create(int cap) {
  struct vec *v = malloc(sizeof *v);
  v->data = malloc(cap * sizeof(int));
  v->len = 0; v->cap = cap;
  return v;
}
static void push(struct vec *v, int x) {
  if (v->len >= v->cap) {
    v->cap *= 2;
    v->data = realloc(v->data, v->cap * sizeof(int));
  }
  v->data[v->len] = x;
  v->len++;
}
static int get(struct vec *v, int i) { return v->data[i]; }
static void destroy(struct vec *v) { free(v->data); free(v); }
int main(void) {
  struct vec *v = create(4);
  int n = __VERIFIER_nondet_int();
  if (n > 10000) n = 10000;
  for (int i = 0; i < n; i++) push(v, i);
  int best = 0;
  for (int i = 0; i <= v->len; i++) if (get(v, i) > best) best = get(v, i);
  destroy(v);
  return best;
}
