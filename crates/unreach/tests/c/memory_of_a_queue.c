// property: valid-memsafety
// verdict: safe
// A list of any length that is freed from its oldest block on.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
};

int main(void) {
    struct item *first = malloc(sizeof *first);
    first->next = 0;
    struct item *last = first;
    while (__VERIFIER_nondet_int()) {
        struct item *new = malloc(sizeof *new);
        new->next = 0;
        last->next = new;
        last = new;
    }
    while (first) {
        struct item *next = first->next;
        free(first);
        first = next;
    }
    return 0;
}
