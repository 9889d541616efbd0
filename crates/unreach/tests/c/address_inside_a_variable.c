// property: assert
// verdict: safe
// A number between the addresses of a variable and its end is a pointer into it.
#include <assert.h>
#include <stdint.h>

int main(void) {
    int numbers[3] = {1, 2, 3}, others[3] = {4, 5, 6};
    uintptr_t first = (uintptr_t)&numbers[0];
    uintptr_t other = (uintptr_t)others;
    first += sizeof(int);
    int *second = (int *)first;
    *second = 7;
    assert(numbers[1] == 7 && others[1] == 5);
    return 0;
}
