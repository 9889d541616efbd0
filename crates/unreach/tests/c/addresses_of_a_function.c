// property: unreach-call
// verdict: unsafe
// harness: compilers need not place them so
// In another call, a variable may lie somewhere else.
#include <stdint.h>
extern void reach_error(void);

static uintptr_t place(void) {
    int x = 1;
    return (uintptr_t)&x;
}

static uintptr_t deeper(void) {
    volatile char room[100];
    room[0] = 1;
    return place();
}

int main(void) {
    if (place() != deeper()) reach_error();
    return 0;
}
