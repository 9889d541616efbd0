// property: valid-memsafety
// verdict: safe
// No block is lost: each one can be reached from a variable, if need be through others.
#include <stdlib.h>

struct Node {
    int value;
    struct Node *next;
    char *name;
};

struct Index {
    struct Node *buckets[3];
    int *count;
};

static struct Index index;

static struct Node *node(int value, struct Node *next) {
    struct Node *node = malloc(sizeof *node);
    node->value = value;
    node->next = next;
    node->name = malloc(4);
    return node;
}

int main(void) {
    index.count = malloc(sizeof(int));
    index.buckets[1] = node(1, node(2, NULL));
    index.buckets[2] = node(3, NULL);
    return 0;
}
