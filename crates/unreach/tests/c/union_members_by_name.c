// property: assert
// verdict: safe
// Members of the same struct in a union stay, another member of the union replaces them.
#include <assert.h>

union flags {
    struct {
        unsigned low : 5;
        unsigned short middle : 7;
        unsigned char : 2;
        unsigned high : 3;
    };
    unsigned whole;
};
union pair {
    struct {
        int x, y;
    } both;
    int first;
};

int main(void) {
    union flags flags = {.high = 5, .low = 17, .middle = 65};
    assert(flags.whole == 17 + (65 << 5) + (5 << 14));
    union pair kept = {.both.x = 1, .both.y = 2};
    assert(kept.both.x == 1 && kept.both.y == 2);
    union pair replaced = {.both.y = 2, .first = 3};
    assert(replaced.both.x == 3);
    return 0;
}
