// property: assert
// verdict: unsafe
// The first cell is not looked at.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100) return 0;
    int a[100];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int m = 0;
    for (int i = 1; i < n; i++)
        if (a[i] < 0) {
            int t = a[i];
            a[i] = a[m];
            a[m] = t;
            m++;
        }
    for (int i = 0; i < m; i++) assert(a[i] < 0);
    for (int i = m; i < n; i++) assert(a[i] >= 0);
    return 0;
}
