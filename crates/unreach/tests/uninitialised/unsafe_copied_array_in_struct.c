#include <stdlib.h>
struct pair {
    int first, second[2];
};
int main(void) {
    struct pair *one = malloc(sizeof *one), *other = malloc(sizeof *other), local;
    if (!one || !other)
        return 0;
    one->first = 1;
    one->second[1] = 2;
    *other = *one;
    local = *other;
    if (local.second[0] > 1)
        one->first = 2;
    free(one);
    free(other);
    return 0;
}
