#include <string.h>
char *strndup(const char *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ length = strnlen(text, most);
    __SIZE_TYPE__ index = 0;
    char *copy = __builtin_malloc(length + 1);
    if (copy == (char *)0) {
        return copy;
    }
    while (index < length) {
        copy[index] = text[index];
        index++;
    }
    copy[index] = 0;
    return copy;
}
