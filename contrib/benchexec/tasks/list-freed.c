#include <stdlib.h>

struct item {
    struct item *next;
};

int main(void)
{
    struct item *head = malloc(sizeof *head);
    if (!head)
        return 0;
    head->next = 0;
    struct item *second = malloc(sizeof *second);
    if (second) {
        second->next = head;
        head = second;
    }
    while (head) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
