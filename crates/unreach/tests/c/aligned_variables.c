// property: assert
// verdict: safe
#include <assert.h>
#include <stdint.h>

typedef int loose __attribute__((aligned(2)));
_Alignas(16) char global[3];
static char aligned_late[4] __attribute__((aligned(32)));

int main(void) {
    __attribute__((aligned(64))) short local = 1;
    loose pair = 1;
    assert((uintptr_t)global % 16 == 0);
    assert((uintptr_t)aligned_late % 32 == 0);
    assert((uintptr_t)&local % 64 == 0);
    assert((uintptr_t)&pair % 2 == 0);
    return 0;
}
