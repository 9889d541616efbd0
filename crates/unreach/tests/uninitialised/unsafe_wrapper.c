#include <stdlib.h>
struct one {
    int a, b;
};
struct other {
    int *to;
};
static void *get(unsigned long size) {
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}
int main(void) {
    struct one *one = get(sizeof *one);
    struct other *other = get(sizeof *other);
    one->a = 1;
    other->to = &one->b;
    if (*other->to > 3)
        one->a = 2;
    free(one);
    free(other);
    return 0;
}
