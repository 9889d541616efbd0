// property: assert
// verdict: safe
// Later initialisers replace earlier ones, whole objects with all their parts (C11 6.7.9).
#include <assert.h>
struct pair { int x, y; };
struct outer { struct pair p; int z; };

int main(void) {
    struct outer a = { .p = { 1, 2 }, .p = { .y = 5 } };
    struct outer b = { .p.x = 1, 2, 3 };
    assert(a.p.x == 0 && a.p.y == 5 && a.z == 0);
    assert(b.p.x == 1 && b.p.y == 2 && b.z == 3);
    return 0;
}
