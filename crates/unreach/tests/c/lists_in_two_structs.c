// property: valid-memsafety
// verdict: safe
// Rings with links inside of two structs, at different offsets; a number lies in one where a pointer lies in the other.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};
struct top {
    struct link link;
    struct link subs;
};
struct sub {
    long number;
    struct link link;
};

extern int __VERIFIER_nondet_int(void);

static void add(struct link *new, struct link *head) {
    new->next = head;
    new->prev = head->prev;
    head->prev->next = new;
    head->prev = new;
}

int main(void) {
    struct link tops = {&tops, &tops};
    for (int i = 0; i < 2; i++) {
        struct top *top = malloc(sizeof *top);
        if (!top)
            abort();
        top->subs.next = top->subs.prev = &top->subs;
        for (int j = 0; j < 2 && __VERIFIER_nondet_int(); j++) {
            struct sub *sub = malloc(sizeof *sub);
            if (!sub)
                abort();
            sub->number = j;
            add(&sub->link, &top->subs);
        }
        add(&top->link, &tops);
    }
    struct top *top = (struct top *)((char *)tops.next - offsetof(struct top, link));
    while (&top->link != &tops) {
        struct top *next = (struct top *)((char *)top->link.next - offsetof(struct top, link));
        struct sub *sub = (struct sub *)((char *)top->subs.next - offsetof(struct sub, link));
        long count = 0;
        while (&sub->link != &top->subs) {
            struct sub *after = (struct sub *)((char *)sub->link.next - offsetof(struct sub, link));
            if (sub->number != count++)
                free(&tops);
            free(sub);
            sub = after;
        }
        free(top);
        top = next;
    }
    return 0;
}
