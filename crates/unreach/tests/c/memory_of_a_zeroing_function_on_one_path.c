// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: in a test, what malloc leaves in a block is zero
// Without zeros the pointer may be anything.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    int number;
    struct pair *other;
};

static void *maybe(size_t size) {
    void *block = malloc(size);
    if (__VERIFIER_nondet_int())
        memset(block, 0, size);
    return block;
}

int main(void) {
    struct pair *pair = maybe(sizeof *pair);
    if (pair->other)
        pair->other->number = 1;
    free(pair);
    return 0;
}
