// property: valid-memsafety
// verdict: safe
// A list whose items point to objects of different types: a number lies in one where a pointer lies in another.
#include <stdlib.h>

struct item {
    struct item *next;
    void *content;
    int kind;
};
struct number {
    long value;
    long more;
};
struct name {
    char *text;
    long length;
};

extern int __VERIFIER_nondet_int(void);

static struct item *push(struct item *list, void *content, int kind) {
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    item->next = list;
    item->content = content;
    item->kind = kind;
    return item;
}

int main(void) {
    struct item *list = 0;
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_int()) {
            struct number *number = malloc(sizeof *number);
            if (!number)
                abort();
            number->value = i;
            number->more = 2 * i;
            list = push(list, number, 0);
        } else {
            struct name *name = malloc(sizeof *name);
            if (!name)
                abort();
            name->text = malloc(i + 1);
            if (!name->text)
                abort();
            name->text[i] = 0;
            name->length = i;
            list = push(list, name, 1);
        }
    }
    while (list) {
        struct item *next = list->next;
        if (list->kind == 0) {
            struct number *number = list->content;
            if (number->more != 2 * number->value)
                free(list);
        } else {
            struct name *name = list->content;
            if (name->text[name->length] != 0)
                free(list);
            free(name->text);
        }
        free(list->content);
        free(list);
        list = next;
    }
    return 0;
}
