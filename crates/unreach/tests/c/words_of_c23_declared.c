// property: assert
// verdict: unsafe
// Older programs have their own `bool`, `true` and `false`, and these are what they say.
#include <assert.h>

typedef enum { false = 1, true = 0 } bool;

int main(void) {
    bool found = true;
    int nullptr = 3;
    assert(sizeof(found) == sizeof(int));
    assert(nullptr == 3);
    assert(found);
    return 0;
}
