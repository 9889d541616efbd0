// property: assert
// verdict: unsafe
// Calls from outside pass 3, the function itself passes less.
#include <assert.h>

static int sum(int count, unsigned char step) {
    if (count == 0)
        return step;
    return step + sum(count - 1, 255 + 2);
}

int main(void) {
    // 255 + 2 is 1 as an unsigned char: 1 + 1 + 1 + 1.
    assert(sum(3, 1) != 4);
    return 0;
}
