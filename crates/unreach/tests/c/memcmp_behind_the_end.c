// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// One block is shorter than what is compared, though the first bytes differ already.
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char left[4] = {1, 2, 3, 4};
    unsigned char *right = malloc(3);
    if (!right) return 0;
    memset(right, __VERIFIER_nondet_uchar() | 2, 3);
    int order = memcmp(left, right, 4);
    free(right);
    return order == 0;
}
