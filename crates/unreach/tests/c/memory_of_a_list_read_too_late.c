// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// As memory_of_a_list_behind_a_pointer.c, but a block is read after it was freed.
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
        free(top);
        top = top->below;
    }
    return 0;
}
