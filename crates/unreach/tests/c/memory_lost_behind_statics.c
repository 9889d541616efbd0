// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// The static pointer is null in the end, so nothing leads to the block; the constant never could.
#include <stdlib.h>
static const char *const names[2] = {"one", "two"};
static int *kept;

int main(void) {
    kept = malloc(4);
    *kept = names[1][0];
    kept = 0;
    return 0;
}
