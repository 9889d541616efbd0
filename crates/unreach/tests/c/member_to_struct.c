// property: unreach-call
// verdict: safe
#include <stddef.h>
extern void reach_error(void);
struct link { struct link *next; };
struct item { int value; struct link link; };

int main(void) {
    struct item a = {1, {0}}, b = {2, {0}};
    a.link.next = &b.link;
    struct link *l = a.link.next;
    struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
    i->value = 9;
    if (b.value != 9 || a.value != 1)
        reach_error();
    return 0;
}
