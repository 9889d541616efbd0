// property: assert
// verdict: safe
// Functions hand on two pointers, so that inlining makes many temporary variables.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

static void f9(int *p, int *q) {
  *p = *p + 1;
  if (*q > 9) *q = *q - 1;
}

static void f8(int *p, int *q) {
  *p = *p + 1;
  if (*q > 8) *q = *q - 1;
  f9(p, q);
}

static void f7(int *p, int *q) {
  *p = *p + 1;
  if (*q > 7) *q = *q - 1;
  f8(p, q);
}

static void f6(int *p, int *q) {
  *p = *p + 1;
  if (*q > 6) *q = *q - 1;
  f7(p, q);
}

static void f5(int *p, int *q) {
  *p = *p + 1;
  if (*q > 5) *q = *q - 1;
  f6(p, q);
}

static void f4(int *p, int *q) {
  *p = *p + 1;
  if (*q > 4) *q = *q - 1;
  f5(p, q);
}

static void f3(int *p, int *q) {
  *p = *p + 1;
  if (*q > 3) *q = *q - 1;
  f4(p, q);
}

static void f2(int *p, int *q) {
  *p = *p + 1;
  if (*q > 2) *q = *q - 1;
  f3(p, q);
}

static void f1(int *p, int *q) {
  *p = *p + 1;
  if (*q > 1) *q = *q - 1;
  f2(p, q);
}

static void f0(int *p, int *q) {
  *p = *p + 1;
  if (*q > 0) *q = *q - 1;
  f1(p, q);
}

int main(void) {
  int y = __VERIFIER_nondet_int();
  while (1) {
    int x = 0, z = y;
    f0(&x, &y);
    assert(x == 10);
    assert(y <= z);
  }
}
