// property: valid-memsafety
// verdict: safe
// A list of any length that is freed from its newest block on.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    int weight;
    struct item *below;
};

int main(void) {
    struct item *top = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *new = malloc(sizeof *new);
        new->weight = 7;
        new->below = top;
        top = new;
    }
    while (top) {
        struct item *below = top->below;
        free(top);
        top = below;
    }
    return 0;
}
