// property: valid-memaccess
// verdict: unsafe
// fails: valid-deref
// The cell still leads to the block that was freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

#define SIZE 16
struct entry { unsigned k; int v; struct entry *next; };
static struct entry *table[SIZE];
static void put(unsigned k, int v) {
  struct entry *e;
  for (e = table[k % SIZE]; e; e = e->next) {
    if (e->k == k) {
      e->v = v;
      return;
    }
  }
  e = malloc(sizeof *e);
  if (!e) abort();
  e->k = k;
  e->v = v;
  e->next = table[k % SIZE];
  table[k % SIZE] = e;
}
int main(void) {
  while (__VERIFIER_nondet_int()) put(__VERIFIER_nondet_int(), 1);
  for (int i = 0; i < SIZE; i++) {
    while (table[i]) {
      struct entry *t = table[i]->next;
      free(table[i]);
      if (i < SIZE - 1) table[i] = t;
      else if (t) table[i] = t;
      else break;
    }
  }
  return table[SIZE - 1] ? table[SIZE - 1]->v : 0;
}
