// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// If two rings are full, the last member of the second is looked at after it was freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct ring {
    struct ring *next, *previous;
};

struct item {
    struct ring head;
    struct item *next;
};

int main(void) {
    struct item *first = 0;
    int freed = 0;
    for (int i = 0; i < 4 && __VERIFIER_nondet_int(); i++) {
        struct item *item = malloc(sizeof *item);
        item->head.next = item->head.previous = &item->head;
        for (int k = 0; k < 3 && __VERIFIER_nondet_int(); k++) {
            struct ring *member = malloc(sizeof *member);
            member->next = item->head.next;
            member->previous = &item->head;
            member->next->previous = member;
            item->head.next = member;
        }
        item->next = first;
        first = item;
    }
    while (first) {
        struct item *item = first;
        first = first->next;
        for (struct ring *member = item->head.next; member != &item->head;) {
            struct ring *gone = member;
            member = member->next;
            free(gone);
            if (++freed == 6)
                member = gone->next;
        }
        free(item);
    }
    return 0;
}
