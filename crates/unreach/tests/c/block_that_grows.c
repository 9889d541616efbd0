// property: unreach-call
// verdict: unsafe
// harness: what the library leaves in new memory is up to it
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int *p = calloc(1, sizeof(int));
    p = realloc(p, 2 * sizeof(int));
    if (p[0] != 0)
        return 0;
    if (p[1] == 7)
        reach_error();
    return 0;
}
