// property: valid-memsafety
// verdict: unsafe
// fails: valid-free
// Blocks of two kinds that one function allocates; a variable is freed like one of them.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct pair { int *first; char *second; };
static void *get(size_t size) {
  void *block = malloc(size);
  if (!block) abort();
  return block;
}
static void drop(void *block) { free(block); }
int main(void) {
  struct pair *pair = get(sizeof *pair);
  pair->first = get(4 * sizeof(int));
  pair->second = get(16);
  pair->first[3] = 1;
  pair->second[15] = 'x';
  pair->second = realloc(pair->second, 32);
  if (!pair->second) abort();
  pair->second[31] = 'y';
  drop(pair->first);
  if (__VERIFIER_nondet_int()) { int here = 1; drop(&here); }
  free(pair->second);
  if (__VERIFIER_nondet_int()) drop(pair); else free(pair);
  return 0;
}
