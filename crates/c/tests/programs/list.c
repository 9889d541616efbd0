/* A linked list on the heap, built, reversed and summed. */
extern void *malloc(unsigned long);
extern void free(void *);
struct node { int data; struct node *next; };
long long result;
static struct node *push(struct node *list, int data) {
    struct node *node = malloc(sizeof *node);
    node->data = data;
    node->next = list;
    return node;
}
int main(void) {
    struct node *list = 0, *back = 0;
    for (int i = 0; i < 10; i++) list = push(list, i * i - 3);
    while (list) { struct node *next = list->next; list->next = back; back = list; list = next; }
    for (struct node *p = back; p != 0; p = p->next) result = result * 7 + p->data;
    while (back) { struct node *next = back->next; free(back); back = next; }
    return 0;
}
