// property: assert
// verdict: refused
// What is wrong with the union follows from the attribute, which is not supported; the program is right.
#include <assert.h>

struct __attribute__((scalar_storage_order("big-endian"))) swapped { int number; };
union both { struct swapped swapped; unsigned char bytes[4]; };

int main(void) {
    union both value;
    value.swapped.number = 1;
    assert(value.bytes[3] == 1);
    return 0;
}
