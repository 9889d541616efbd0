#include <string.h>
char *strtok_r(char *text, const char *separators, char **rest)
{
    char *start = text ? text : *rest;
    char *end;
    if (start == (char *)0) {
        return start;
    }
    start += strspn(start, separators);
    if (*start == 0) {
        *rest = start;
        return (char *)0;
    }
    end = start + strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *rest = end;
    return start;
}
