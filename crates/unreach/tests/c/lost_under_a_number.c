// property: valid-memsafety
// verdict: unknown
// The only pointer to a block is overwritten by a number of another struct, so the block is lost. Where pointers lie in such memory is not followed at the end, and what it holds must not be taken for pointers.
#include <stdlib.h>

struct pointers {
    struct pointers *first;
    struct pointers *second;
};
struct numbers {
    long low;
    long high;
};

static void *block;

int main(void) {
    block = malloc(sizeof(struct pointers));
    if (!block)
        return 1;
    struct pointers *pointers = block;
    pointers->first = 0;
    pointers->second = malloc(sizeof(struct pointers));
    if (!pointers->second)
        return 1;
    struct numbers *numbers = block;
    numbers->high = 0;
    return 0;
}
