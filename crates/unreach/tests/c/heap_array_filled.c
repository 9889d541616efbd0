// property: valid-memsafety
// verdict: safe
// The last access lies outside of the block, and what was written to all cells before excludes it: the size of the block has to be known as
// well as its contents.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    int key;
    char *name;
};

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 100000) return 0;
    struct item *items = malloc(n * sizeof *items);
    for (int i = 0; i < n; i++) {
        items[i].key = i;
        items[i].name = 0;
    }
    for (int i = 0; i < n; i++) {
        if (items[i].key != i) items[n].key = 1;
    }
    free(items);
    return 0;
}
