// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// The oldest block is never freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *below;
};

int main(void) {
    struct item *top = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *new = malloc(sizeof *new);
        new->below = top;
        top = new;
    }
    while (top && top->below) {
        struct item *below = top->below;
        free(top);
        top = below;
    }
    return 0;
}
