// property: unreach-call
// verdict: unsafe
// What is registered runs in the reverse order, then the destructors; `exit` is as good as the end of `main`.
#include <stdlib.h>
extern void reach_error(void);
static int order;
static void first(void) { order = order * 10 + 1; }
static void second(void) { order = order * 10 + 2; }
__attribute__((destructor)) static void last(void) {
    if (order == 21)
        reach_error();
}

int main(void) {
    atexit(first);
    atexit(second);
    exit(0);
}
