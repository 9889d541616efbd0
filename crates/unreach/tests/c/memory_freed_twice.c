// property: valid-memsafety
// verdict: unsafe
// fails: valid-free
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(1), *q = p;
    free(p);
    if (__VERIFIER_nondet_int() == 5)
        free(q);
    return 0;
}
