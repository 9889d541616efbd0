// property: assert
// verdict: unknown
// The shift has no meaning in C, but programs go on behind it.
#include <assert.h>

int main(void) {
    int amount = 2 - 3;
    volatile int result = 1 << amount;
    assert((4 << 1) == 9);
    return 0;
}
