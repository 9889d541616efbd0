// property: valid-memsafety
// verdict: safe
// The last block of a list of any length has a mark; what comes behind it is not looked at, and may be anything.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);

struct item {
    int mark;
    struct item *below;
};

int main(void)
{
    struct item *top = malloc(sizeof *top);
    if (!top)
        abort();
    top->mark = 2;
    top->below = __VERIFIER_nondet_pointer();
    while (__VERIFIER_nondet_int()) {
        struct item *new = malloc(sizeof *new);
        if (!new)
            abort();
        new->mark = 1;
        new->below = top;
        top = new;
    }
    while (top->mark != 2) {
        struct item *below = top->below;
        free(top);
        top = below;
    }
    free(top);
    return 0;
}
