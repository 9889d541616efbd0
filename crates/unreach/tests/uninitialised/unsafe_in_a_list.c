#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        if (i != 1)
            node->value = i;
        node->next = list;
        list = node;
    }
    int found = 0;
    while (list) {
        struct node *next = list->next;
        if (list->value == 2)
            found++;
        free(list);
        list = next;
    }
    return found > 2;
}
