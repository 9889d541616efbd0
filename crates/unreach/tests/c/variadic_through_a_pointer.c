// property: assert
// verdict: unsafe
// A function that does not look at its further arguments can be called through a pointer.
#include <assert.h>

static int calls;
static void count(const char *format, ...) { calls++; }
static void (*tell)(const char *, ...) = count;

int main(void) {
    tell("%d %s", 10, "x");
    (*tell)("nothing");
    assert(calls != 2);
    return 0;
}
