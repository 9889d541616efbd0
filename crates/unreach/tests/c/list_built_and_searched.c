// property: unreach-call
// verdict: safe
// Every block of the list holds what was written when it was new, however long the list is.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

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
    for (struct item *at = top; at; at = at->below)
        if (at->weight != 7)
            reach_error();
    return 0;
}
