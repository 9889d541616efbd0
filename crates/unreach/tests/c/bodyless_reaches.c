// property: assert
// verdict: safe
// It cannot change what it cannot reach.
#include <assert.h>
struct list {
    int value;
    struct list *next;
};
extern struct list *sorted(struct list *);

int main(void) {
    int own = 1, *pointer = &own;
    struct list first = {1, 0};
    struct list *result = sorted(&first);
    if (result)
        result->value = 2;
    assert(own == 1 && *pointer == 1);
    return 0;
}
