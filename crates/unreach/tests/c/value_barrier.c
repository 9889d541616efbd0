// property: assert
// verdict: safe
// Assembly without a text keeps the value of a variable that it names as input and output.
#include <assert.h>

static unsigned barrier(unsigned value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}

int main(void) {
    unsigned before = 7, other = 8;
    __asm__("" : "+r"(before), "+r"(other) : : "memory");
    assert(barrier(before) == 7 && other == 8);
    return 0;
}
