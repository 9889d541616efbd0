// property: assert
// verdict: safe
// One block holds a struct with a pointer, and then one with numbers in the same place: what was written last counts, also where it
// covers only a half of what was there.
#include <assert.h>
#include <stdlib.h>

struct pointers {
    int *first;
    int *second;
};
struct numbers {
    int low;
    int high;
    long more;
};

int main(void) {
    int x = 1;
    void *block = malloc(sizeof(struct pointers));
    if (!block)
        return 1;
    struct pointers *pointers = block;
    pointers->first = &x;
    pointers->second = &x;
    *pointers->first = 2;
    struct numbers *numbers = block;
    numbers->low = 3;
    numbers->high = 4;
    numbers->more = 5;
    assert(numbers->low == 3 && numbers->high == 4 && numbers->more == 5);
    pointers->second = &x;
    assert(numbers->low == 3 && *pointers->second == 2);
    free(block);
    return 0;
}
