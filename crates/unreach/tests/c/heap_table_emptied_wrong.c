// property: valid-memaccess
// verdict: unsafe
// fails: valid-free
// The last list of the table is freed, and its first block again.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define BUCKETS 16
struct entry { unsigned key; int value; struct entry *next; };
static struct entry *table[BUCKETS];
static struct entry *find(unsigned key) {
  struct entry *e;
  for (e = table[key % BUCKETS]; e; e = e->next)
    if (e->key == key) return e;
  return NULL;
}
static void put(unsigned key, int value) {
  struct entry *e = find(key);
  if (!e) {
    e = malloc(sizeof *e);
    if (!e) return;
    e->key = key;
    e->next = table[key % BUCKETS];
    table[key % BUCKETS] = e;
  }
  e->value = value;
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    unsigned key = __VERIFIER_nondet_int();
    put(key, __VERIFIER_nondet_int());
  }
  for (int i = 0; i < BUCKETS; i++) {
    struct entry *e = table[i];
    while (e) {
      struct entry *next = e->next;
      free(e);
      e = next;
    }
    if (i == BUCKETS - 1 && table[i]) free(table[i]);
    table[i] = NULL;
  }
  return 0;
}
