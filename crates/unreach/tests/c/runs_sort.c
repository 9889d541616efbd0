// property: assert
// verdict: safe
#include <assert.h>

int main(void) {
    int a[10] = {5, -3, 8, 0, 13, 2, -7, 8, 1, 40};
    for (int i = 1; i < 10; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    for (int i = 0; i + 1 < 10; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
