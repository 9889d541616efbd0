// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The buffer grows when it is too late.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct buffer { int *data; unsigned length, capacity; };
static int push(struct buffer *b, int value) {
    if (b->length > b->capacity) {
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
    struct buffer b = {malloc(32), 0, 8};
    int sum = 0;
    while (__VERIFIER_nondet_int())
        if (push(&b, 3) < 0)
            break;
    for (unsigned i = 0; i < b.length; i++)
        sum = b.data[i];
    free(b.data);
    return sum;
}
