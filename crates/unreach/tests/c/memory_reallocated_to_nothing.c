// property: valid-memsafety
// verdict: safe
// With the size zero, `realloc` gives the block back.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    int size = __VERIFIER_nondet_int() ? 0 : 8;
    p = realloc(p, size);
    if (size) {
        p[7] = 1;
    }
    free(p);
    return 0;
}
