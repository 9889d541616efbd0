// property: assert
// verdict: safe
#include <assert.h>

int main(void) {
    int from = 3, to = 1, other = 7;
    __asm__ volatile("mov %1, %0" : "=r"(to) : "r"(from) : "cc");
    __asm__ volatile("" ::: "memory");
    __asm__("nop");
    assert(other == 7 && from == 3);
    return 0;
}
