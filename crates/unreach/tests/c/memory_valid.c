// property: valid-memsafety
// verdict: safe
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000)
        return 0;
    int *a = malloc(n * sizeof(int));
    for (unsigned i = 0; i < n; i++)
        a[i] = 1;
    a[n - 1] = 2;
    free(a);
    return 0;
}
