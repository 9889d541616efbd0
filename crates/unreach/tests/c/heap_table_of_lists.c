// property: valid-memaccess
// verdict: safe
// A table of lists: every cell is null or leads to a block that lives, and to which nothing else leads.
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
      table[i] = t;
    }
  }
  return 0;
}
