// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *a = malloc(3 * sizeof(int));
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 3)
        a[i] = 1;
    free(a);
    return 0;
}
