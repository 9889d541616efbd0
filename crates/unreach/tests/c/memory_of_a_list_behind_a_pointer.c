// property: valid-memsafety
// verdict: safe
// A list of any length that a function builds through the address of its head: blocks have fields at offsets.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    int weight;
    struct item *below;
};

static void push(struct item **top)
{
    struct item *new = malloc(sizeof *new);
    if (!new)
        abort();
    new->weight = 1;
    new->below = *top;
    *top = new;
}

int main(void)
{
    struct item *top = 0;
    while (__VERIFIER_nondet_int())
        push(&top);
    while (top) {
        struct item *below = top->below;
        free(top);
        top = below;
    }
    return 0;
}
