// property: valid-memsafety
// verdict: safe
// A buffer doubles whenever it is full; its size is four times the capacity, and the length is not above that.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned cap = 4, len = 0;
  int *data = malloc(cap * sizeof(int));
  if (!data) return 1;
  int n = __VERIFIER_nondet_int();
  if (n > 100000) n = 100000;
  for (int i = 0; i < n; i++) {
    if (len == cap) {
      cap = cap * 2;
      int *bigger = realloc(data, cap * sizeof(int));
      if (!bigger) { free(data); return 1; }
      data = bigger;
    }
    data[len++] = i;
  }
  long sum = 0;
  for (unsigned i = 0; i < len; i++) sum += data[i];
  free(data);
  return sum > 0;
}
