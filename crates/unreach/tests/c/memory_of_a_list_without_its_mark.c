// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: a test does not choose pointers
// As memory_of_a_list_with_a_mark.c, but no block has the mark that is looked for: an arbitrary pointer may be null.
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
    while (top->mark != 3) {
        struct item *below = top->below;
        free(top);
        top = below;
    }
    free(top);
    return 0;
}
