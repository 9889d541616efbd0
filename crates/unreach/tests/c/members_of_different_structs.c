// property: valid-memsafety
// data-model: ilp32
// verdict: safe
// A pointer to a pointer leads into blocks of two types, in which a pointer and a number lie at the same offset.
#include <stdlib.h>

struct inner {
    struct inner *next;
    int value;
};
struct outer {
    struct outer *next;
    struct inner *data;
};

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct outer *outer = malloc(sizeof *outer);
    if (!outer)
        return 1;
    outer->next = 0;
    outer->data = 0;
    struct inner **end = &outer->data;
    for (int i = 0; i < 3 && __VERIFIER_nondet_int(); i++) {
        struct inner *inner = malloc(sizeof *inner);
        if (!inner)
            break;
        inner->next = 0;
        inner->value = i;
        *end = inner;
        end = &inner->next;
    }
    int expected = 0;
    while (outer->data) {
        struct inner *inner = outer->data;
        if (inner->value != expected++)
            free(outer);
        outer->data = inner->next;
        free(inner);
    }
    free(outer);
    return 0;
}
