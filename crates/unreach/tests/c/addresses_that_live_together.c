// property: unreach-call
// verdict: safe
// Variables that live at the same moment do not share an address, and none changes it while it lives.
#include <stdint.h>
extern void reach_error(void);

static int differ(uintptr_t outer) {
    int x = 1;
    uintptr_t own = (uintptr_t)&x;
    return own != outer && own == (uintptr_t)&x;
}

int main(void) {
    int x = 2;
    if (!differ((uintptr_t)&x) || !differ((uintptr_t)&x)) reach_error();
    return 0;
}
