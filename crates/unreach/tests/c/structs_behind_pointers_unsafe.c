// property: assert
// verdict: unsafe
// Functions are handed pointers to structs, whose addresses lie in a struct: every access goes to a place that is known.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

struct module {
  int level;
  int max;
  int errors;
};

struct context {
  struct module *left, *right, *spare;
};

static void step(struct module *m, int in) {
  if (in > 0 && m->level < m->max)
    m->level++;
  else if (in < 0 && m->level > 0)
    m->level--;
  else if (m->errors < 5)
    m->errors++;
}

static void step_all(struct context *c) {
  step(c->left, __VERIFIER_nondet_int());
  step(c->right, __VERIFIER_nondet_int());
  step(c->spare, __VERIFIER_nondet_int());
}

int main(void) {
  static struct module a, b, d;
  struct context c = {&a, &b, &d};
  a.max = 10;
  b.max = 20;
  while (1) {
    step_all(&c);
    assert(a.level >= 0 && a.level <= 10);
    assert(b.level <= b.max && b.errors <= 5);
    assert(d.level == 0 && b.errors < 2);
  }
}
