// property: unreach-call
// verdict: unsafe
// harness: compilers need not place them so
// A variable may lie where one of another function was that has returned.
#include <stdint.h>
extern void reach_error(void);

static uintptr_t first(void) {
    int x = 1;
    return (uintptr_t)&x;
}

static uintptr_t second(void) {
    int x = 2;
    return (uintptr_t)&x;
}

int main(void) {
    if (first() == second()) reach_error();
    return 0;
}
