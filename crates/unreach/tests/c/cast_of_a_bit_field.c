// property: assert
// verdict: safe
// A bit-field of few bits is promoted to `int`, but not once it was cast to its own type.
#include <assert.h>

struct flags {
    unsigned low : 15;
};

int main(void) {
    struct flags flags = {5};
    assert(flags.low - 6 < 0);
    assert((unsigned)flags.low - 6 > 0);
    return 0;
}
