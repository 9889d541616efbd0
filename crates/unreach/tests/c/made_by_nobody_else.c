// property: assert
// verdict: unsafe
// Functions that the tool makes are not checked; a program cannot say that one of its own is such a function.
#include <assert.h>

__attribute__((unreach_made)) int main(void) {
    assert(0);
    return 0;
}
