// property: valid-memsafety
// verdict: safe
// One function makes the blocks of two types, and fills them with zeros.
#include <stdlib.h>
#include <string.h>

struct inner {
    int number;
    struct inner *next;
};

struct outer {
    struct inner *down;
    char name[3];
};

static void *zeros(size_t count, size_t size) {
    void *block = malloc(count * size);
    return memset(block, 0, count * size);
}

int main(void) {
    struct outer *outer = zeros(1, sizeof *outer);
    struct inner *inner = zeros(1, sizeof *inner);
    if (outer->down || outer->name[2] || inner->next || inner->number)
        free((char *)inner + 1);
    outer->down = inner;
    free(outer->down);
    free(outer);
    return 0;
}
