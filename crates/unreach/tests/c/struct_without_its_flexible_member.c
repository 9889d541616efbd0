// property: assert
// verdict: safe
#include <assert.h>
#include <stdlib.h>

struct text {
    int length;
    char characters[];
};

int main(void) {
    struct text *one = malloc(sizeof(struct text) + 4), *other = malloc(sizeof(struct text) + 4);
    if (!one || !other) {
        return 1;
    }
    one->length = 4;
    one->characters[0] = 'a';
    other->characters[0] = 'b';
    *other = *one;
    assert(other->length == 4 && other->characters[0] == 'b');
    struct text copy = *one;
    assert(copy.length == 4);
    return 0;
}
