// property: assert
// verdict: safe
#include <assert.h>
#include <stdarg.h>

static long sum(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    long total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    for (int i = 0; i < count; i++)
        total += va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}

static int second(va_list list) {
    (void)va_arg(list, double);
    return *va_arg(list, int *);
}

static int mixed(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int first = va_arg(list, unsigned char *)[0];
    int result = first + second(list);
    va_end(list);
    return result;
}

int main(void) {
    int number = 5;
    assert(sum(2, 3, 4) == 14);
    assert(sum(0) == 0);
    assert(mixed("", (unsigned char *)"a", 1.5, &number) == 'a' + 5);
    return 0;
}
