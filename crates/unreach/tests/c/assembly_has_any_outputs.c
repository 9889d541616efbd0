// property: assert
// verdict: unknown
#include <assert.h>

int main(void) {
    int from = 3, to = 3;
    __asm__("mov %1, %0" : "=r"(to) : "r"(from));
    assert(to == 3);
    return 0;
}
