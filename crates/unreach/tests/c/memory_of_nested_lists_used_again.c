// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// Four loops in each other build lists of lists, which are taken down twice at one level. Every loop asks whether to go on, and the
// error is at the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
    struct item *down;
};

static struct item *build(int level)
{
    struct item *list = 0;
    do {
        struct item *new = malloc(sizeof *new);
        if (!new)
            abort();
        new->down = level ? build(level - 1) : 0;
        new->next = list;
        list = new;
    } while (__VERIFIER_nondet_int());
    return list;
}

static void take_down(struct item *list, int level, int wanted)
{
    while (list) {
        struct item *next = list->next;
        if (level > wanted)
            take_down(list->down, level - 1, wanted);
        else
            free(list);
        list = next;
    }
}

int main(void)
{
    struct item *list = build(3);
    take_down(list, 3, 0);
    take_down(list, 3, 1);
    take_down(list, 3, 1);
    take_down(list, 3, 2);
    take_down(list, 3, 3);
    return 0;
}
