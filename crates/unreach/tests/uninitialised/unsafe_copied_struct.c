#include <stdlib.h>
struct pair {
    int first, second;
};
int main(void) {
    struct pair *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    if (!one || !other)
        return 0;
    one->first = 1;
    *other = *one;
    if (other->second > 0)
        one->first = 2;
    free(one);
    free(other);
    return 0;
}
