// property: valid-memsafety
// verdict: unknown
// What lies behind the zeros may be anything; that a part of a block is filled is not modelled.
#include <stdlib.h>
#include <string.h>

struct pair {
    struct pair *first, *second;
};

static void *half(size_t size) {
    void *block = malloc(size);
    memset(block, 0, size / 2);
    return block;
}

int main(void) {
    struct pair *pair = half(sizeof *pair);
    if (pair->second)
        pair->second->first = 0;
    free(pair);
    return 0;
}
