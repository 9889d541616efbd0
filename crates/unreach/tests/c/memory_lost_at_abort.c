// property: valid-memcleanup
// verdict: unsafe
// The test looks for blocks also where the program aborts.
#include <stdlib.h>

int *kept;

int main(void) {
    kept = malloc(4);
    abort();
}
