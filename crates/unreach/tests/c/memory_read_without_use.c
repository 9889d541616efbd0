// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// A compiler leaves out a read without use, so the test reads itself.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    free(p);
    *p;
    return 0;
}
