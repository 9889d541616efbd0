#include <time.h>
extern __SIZE_TYPE__ __nondet_size_t(void);
extern char __nondet_char(void);
size_t strftime(char *text, size_t size, const char *format, const struct tm *date)
{
    size_t length = __nondet_size_t();
    size_t index;
    for (index = 0; index < size; index++) {
        text[index] = __nondet_char();
    }
    if (length >= size) {
        return 0;
    }
    for (index = 0; index < length; index++) {
        __builtin_assume(text[index] != 0);
    }
    text[length] = 0;
    return length;
}
