#include <string.h>
char *strdup(const char *text)
{
    __SIZE_TYPE__ length = strlen(text);
    char *copy = __builtin_malloc(length + 1);
    if (copy == (char *)0) {
        return copy;
    }
    return strcpy(copy, text);
}
