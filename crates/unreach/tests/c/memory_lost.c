// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    p = malloc(4);
    free(p);
    return 0;
}
