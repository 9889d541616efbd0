#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *number = malloc(sizeof *number);
    if (__VERIFIER_nondet_int() == 3)
        free(number);
    free(number);
    return 0;
}
