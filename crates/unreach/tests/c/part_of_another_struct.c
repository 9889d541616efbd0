// property: assert
// verdict: safe
// A pointer to the first member of one struct is taken for one to another struct that begins in the same way: what is
// written behind the member through it is written into the first struct.
#include <assert.h>

struct start {
    int a;
};
struct one {
    struct start start;
    int y;
};
struct other {
    struct start start;
    int x;
};

int main(void) {
    struct one one;
    one.start.a = 0;
    one.y = 1;
    struct other *other = (struct other *)&one.start;
    other->x = 5;
    assert(one.y == 5);
    return 0;
}
