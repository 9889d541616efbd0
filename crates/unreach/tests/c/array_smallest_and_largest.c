// property: assert
// verdict: safe
// The first cell is where both begin, and the loop begins behind it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100) return 0;
    int a[100];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int low = a[0], high = a[0];
    for (int i = 1; i < n; i++) {
        if (a[i] < low) low = a[i];
        if (a[i] > high) high = a[i];
    }
    for (int i = 0; i < n; i++) assert(low <= a[i] && a[i] <= high);
    return 0;
}
