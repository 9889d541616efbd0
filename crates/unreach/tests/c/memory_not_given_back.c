// property: valid-memcleanup
// verdict: unsafe
// fails: valid-memcleanup
#include <stdlib.h>
int *kept;

int main(void) {
    kept = malloc(4);
    *kept = 1;
    return 0;
}
