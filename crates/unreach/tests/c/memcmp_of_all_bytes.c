// property: valid-memsafety
// verdict: safe
// What is compared lies inside of both blocks, whatever the first difference is.
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char left[4] = {1, 2, 3, 4};
    unsigned char *right = malloc(4);
    if (!right) return 0;
    memset(right, __VERIFIER_nondet_uchar(), 4);
    int order = memcmp(left, right, 4);
    free(right);
    return order == 0;
}
