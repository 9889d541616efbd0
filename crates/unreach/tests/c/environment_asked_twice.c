// property: valid-memsafety
// verdict: unknown
// The second answer is the first one again; that is not modelled, so no error behind it is told.
#include <stdlib.h>

int main(void) {
    if (!getenv("HOME")) return 0;
    return getenv("HOME")[0] == 'x';
}
