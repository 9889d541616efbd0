// property: assert
// verdict: unsafe
// The last cell is not looked at.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100) return 0;
    int a[100];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int m = 0;
    for (int i = 1; i + 1 < n; i++)
        if (a[i] > a[m]) m = i;
    for (int i = 0; i < n; i++) assert(a[i] <= a[m]);
    return 0;
}
