// property: assert
// verdict: safe
// harness: compilers may take an `int` and a `float` for different places
// The second number of an array is a member of the struct that a pointer to the first one is taken for.
#include <assert.h>

struct pair {
    int number;
    float fraction;
};

int main(void) {
    int numbers[2];
    numbers[0] = 0;
    numbers[1] = 0;
    struct pair *pair = (struct pair *)&numbers[0];
    pair->fraction = 1.0f;
    assert(numbers[1] == 0x3f800000);
    return 0;
}
