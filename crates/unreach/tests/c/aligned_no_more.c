// property: assert
// verdict: unsafe
// harness: where a variable lies is the compiler's choice
// The name of the type asks for less than its type has.
#include <assert.h>
#include <stdint.h>

typedef int loose __attribute__((aligned(2)));

int main(void) {
    loose number = 1;
    assert((uintptr_t)&number % 4 == 0);
    return 0;
}
