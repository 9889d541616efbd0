// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// Blocks that point to each other are lost if nothing else points to them.
#include <stdlib.h>

struct Node {
    struct Node *other;
};

static struct Node *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    kept->other = NULL;
    struct Node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->other = b;
    b->other = a;
    return 0;
}
