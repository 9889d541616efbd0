// property: unreach-call
// verdict: safe
#include <stdint.h>
extern void reach_error(void);

int main(void) {
    int a[2] = {1, 2};
    uintptr_t w = (uintptr_t)&a[1];
    int *p = (int *)w;
    *p = 5;
    if (a[1] != 5 || a[0] != 1 || w % 4 != 0 || w == 0)
        reach_error();
    return 0;
}
