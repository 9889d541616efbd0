// property: assert
// verdict: unknown
// Nobody knows what an argument is that was not given.
#include <assert.h>
#include <stdarg.h>

static int first(int count, ...) {
    va_list list;
    va_start(list, count);
    int result = va_arg(list, int);
    va_end(list);
    return result;
}

int main(void) {
    assert(first(1, 7) == 7);
    assert(first(0) == 0);
    return 0;
}
