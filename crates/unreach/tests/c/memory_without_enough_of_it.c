// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// may-fail: allocation
// harness: a test cannot let `realloc` fail
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(sizeof(int));
    if (!numbers) return 1;
    numbers[0] = 1;
    int *more = realloc(numbers, 2 * sizeof(int));
    more[1] = 2;
    free(more);
    return 0;
}
