// property: assert
// verdict: unsafe
// The only call that names the function passes 1, but it is also called through a pointer.
#include <assert.h>

static int doubled(int number) { return number * 2; }

int main(void) {
    int (*again)(int) = doubled;
    assert(doubled(1) == 2);
    assert(again(2) == 2);
    return 0;
}
