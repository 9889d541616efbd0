// property: assert
// verdict: safe
// A pointer without a value may be assumed to be the address of a variable.
#include <assert.h>
extern void __CPROVER_assume(_Bool);

int main(void) {
    int *pointer;
    int number = 1;
    __CPROVER_assume(pointer == &number);
    assert(*pointer == 1);
    *pointer = 2;
    assert(number == 2);
    return 0;
}
