// property: valid-memcleanup
// verdict: unsafe
// fails: valid-memcleanup
// harness: a block that is not freed goes unnoticed
#include <stdlib.h>
int *kept;

int main(void) {
    kept = malloc(4);
    *kept = 1;
    return 0;
}
