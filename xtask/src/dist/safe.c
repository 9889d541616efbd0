#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < n && i < 1000; i++)
        sum += 2;
    assert(sum % 2 == 0);
}
