// property: valid-memsafety
// verdict: safe
// The buffer grows until it has 2^28 elements, which no run comes to, and is read behind that as well.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct buffer { int *data; unsigned length, capacity; };
static int push(struct buffer *b, int value) {
    if (b->length == b->capacity) {
        unsigned capacity = b->capacity ? 2 * b->capacity : 8;
        if (capacity < b->capacity || capacity > 1u << 28)
            return -1;
        int *data = realloc(b->data, capacity * sizeof *data);
        if (!data)
            return -1;
        b->data = data;
        b->capacity = capacity;
    }
    b->data[b->length++] = value;
    return 0;
}
int main(void) {
    struct buffer b = {0, 0, 0};
    int sum = 0;
    while (__VERIFIER_nondet_int())
        if (push(&b, 3) < 0)
            break;
    for (unsigned i = 0; i < b.length; i++)
        sum = b.data[i];
    free(b.data);
    return sum;
}
