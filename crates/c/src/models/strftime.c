#include <time.h>
extern __SIZE_TYPE__ __unknown_size(void);
extern char __unknown_character(void);
size_t strftime(char *text, size_t size, const char *format, const struct tm *date)
{
    char first = format[0];
    int year = date->tm_year;
    size_t length = __unknown_size();
    size_t index;
    for (index = 0; index < size; index++) {
        text[index] = __unknown_character();
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
