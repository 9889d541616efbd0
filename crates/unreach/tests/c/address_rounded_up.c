// property: assert
// verdict: safe
// All calls pass the same alignment, so the mask is a number that is known.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static void *rounded_up(void *pointer, size_t alignment) {
    return (void *)(((uintptr_t)pointer + alignment - 1) & ~(uintptr_t)(alignment - 1));
}

int main(void) {
    char *block = malloc(100);
    char *aligned = rounded_up(block, 16);
    assert(((uintptr_t)aligned & 15) == 0);
    assert(aligned - block < 16);
    aligned[3] = 1;
    free(block);
    return 0;
}
