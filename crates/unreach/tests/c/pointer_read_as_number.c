// property: assert
// verdict: safe
// A pointer is read as the number that its address is, through another struct, and a half of it is overwritten and restored.
#include <assert.h>
#include <stdlib.h>

struct pointers {
    int *first;
};
struct numbers {
    unsigned low;
    unsigned high;
};

int main(void) {
    int x = 1;
    void *block = malloc(sizeof(struct pointers));
    if (!block)
        return 1;
    struct pointers *pointers = block;
    struct numbers *numbers = block;
    pointers->first = &x;
    unsigned low = numbers->low;
    numbers->low = 0;
    numbers->low = low;
    *pointers->first = 2;
    assert(x == 2);
    assert((unsigned long)&x % 4294967296 == low);
    free(block);
    return 0;
}
