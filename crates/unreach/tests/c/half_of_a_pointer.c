// property: assert
// verdict: unsafe
// harness: the address depends on where the system puts the variable
// A half of a pointer is overwritten by a number: it need not be the pointer that it was.
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
    numbers->low = 7;
    assert(pointers->first == &x);
    free(block);
    return 0;
}
