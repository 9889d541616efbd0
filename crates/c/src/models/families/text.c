//// strchrnul
char *strchrnul(const char *text, int wanted)
{
    __SIZE_TYPE__ index = 0;
    while (text[index] != 0 && text[index] != (char)wanted) {
        index++;
    }
    return (char *)text + index;
}

//// rawmemchr
void *rawmemchr(const void *memory, int wanted)
{
    const unsigned char *bytes = memory;
    __SIZE_TYPE__ index = 0;
    while (bytes[index] != (unsigned char)wanted) {
        index++;
    }
    return (void *)(bytes + index);
}

//// memrchr
void *memrchr(const void *memory, int wanted, __SIZE_TYPE__ size)
{
    const unsigned char *bytes = memory;
    while (size > 0) {
        size--;
        if (bytes[size] == (unsigned char)wanted) {
            return (void *)(bytes + size);
        }
    }
    return (void *)0;
}

//// memmem
void *memmem(const void *memory, __SIZE_TYPE__ size, const void *wanted, __SIZE_TYPE__ length)
{
    const unsigned char *bytes = memory;
    const unsigned char *other = wanted;
    __SIZE_TYPE__ start;
    if (length == 0) {
        return (void *)memory;
    }
    if (length > size) {
        return (void *)0;
    }
    for (start = 0; start <= size - length; start++) {
        __SIZE_TYPE__ index = 0;
        while (index < length && bytes[start + index] == other[index]) {
            index++;
        }
        if (index == length) {
            return (void *)(bytes + start);
        }
    }
    return (void *)0;
}

//// memccpy
void *memccpy(void *to, const void *from, int last, __SIZE_TYPE__ size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    __SIZE_TYPE__ index;
    for (index = 0; index < size; index++) {
        target[index] = source[index];
        if (source[index] == (unsigned char)last) {
            return target + index + 1;
        }
    }
    return (void *)0;
}

//// bcmp
#include <string.h>
int bcmp(const void *left, const void *right, size_t size)
{
    return memcmp(left, right, size);
}

//// bcopy
void bcopy(const void *from, void *to, __SIZE_TYPE__ size)
{
    __builtin_memmove(to, from, size);
}

//// explicit_bzero
void explicit_bzero(void *to, __SIZE_TYPE__ size)
{
    __builtin_memset(to, 0, size);
}

//// swab
void swab(const void *from, void *to, long size)
{
    const unsigned char *source = from;
    unsigned char *target = to;
    long index;
    for (index = 0; index + 1 < size; index += 2) {
        unsigned char first = source[index];
        target[index] = source[index + 1];
        target[index + 1] = first;
    }
}

//// stpncpy
char *stpncpy(char *to, const char *from, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ index = 0;
    __SIZE_TYPE__ end;
    while (index < size && from[index] != 0) {
        to[index] = from[index];
        index++;
    }
    end = index;
    while (index < size) {
        to[index] = 0;
        index++;
    }
    return to + end;
}

//// strlcpy
__SIZE_TYPE__ strlcpy(char *to, const char *from, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ index = 0;
    while (index + 1 < size && from[index] != 0) {
        to[index] = from[index];
        index++;
    }
    if (size > 0) {
        to[index] = 0;
    }
    while (from[index] != 0) {
        index++;
    }
    return index;
}

//// strlcat
__SIZE_TYPE__ strlcat(char *to, const char *from, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ start = 0;
    __SIZE_TYPE__ index = 0;
    while (start < size && to[start] != 0) {
        start++;
    }
    while (from[index] != 0) {
        if (start < size && index < size - start - 1) {
            to[start + index] = from[index];
        }
        index++;
    }
    if (start < size) {
        to[index < size - start - 1 ? start + index : size - 1] = 0;
    }
    return start + index;
}

//// strsep
char *strsep(char **rest, const char *separators)
{
    char *text = *rest;
    __SIZE_TYPE__ index = 0;
    if (text == (char *)0) {
        return text;
    }
    while (text[index] != 0) {
        __SIZE_TYPE__ other = 0;
        while (separators[other] != 0 && separators[other] != text[index]) {
            other++;
        }
        if (separators[other] != 0) {
            text[index] = 0;
            *rest = text + index + 1;
            return text;
        }
        index++;
    }
    *rest = (char *)0;
    return text;
}

//// strcasestr
#include <ctype.h>
char *strcasestr(const char *text, const char *wanted)
{
    __SIZE_TYPE__ start = 0;
    while (1) {
        __SIZE_TYPE__ index = 0;
        while (wanted[index] != 0
               && tolower((unsigned char)text[start + index]) == tolower((unsigned char)wanted[index])) {
            index++;
        }
        if (wanted[index] == 0) {
            return (char *)(text + start);
        }
        if (text[start] == 0) {
            return (char *)0;
        }
        start++;
    }
}

//// strxfrm
__SIZE_TYPE__ strxfrm(char *to, const char *from, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ index = 0;
    while (from[index] != 0) {
        if (index < size) {
            to[index] = from[index];
        }
        index++;
    }
    if (index < size) {
        to[index] = 0;
    }
    return index;
}

//// strsignal
char *strsignal(int number)
{
    return __unreach_known_text();
}

//// basename
extern void __unknown_argument(void);
char *basename(char *path)
{
    __SIZE_TYPE__ end = 0;
    __SIZE_TYPE__ start;
    if (path == (char *)0 || path[0] == 0) {
        __unknown_argument();
    }
    while (path[end] != 0) {
        end++;
    }
    if (path[end - 1] == '/') {
        __unknown_argument();
    }
    start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return path + start;
}

//// dirname
extern void __unknown_argument(void);
char *dirname(char *path)
{
    __SIZE_TYPE__ end = 0;
    if (path == (char *)0 || path[0] == 0) {
        return (char *)".";
    }
    while (path[end] != 0) {
        end++;
    }
    if (path[end - 1] == '/') {
        __unknown_argument();
    }
    while (end > 0 && path[end - 1] != '/') {
        end--;
    }
    if (end == 0) {
        return (char *)".";
    }
    if (end > 1) {
        end--;
        if (path[end - 1] == '/') {
            __unknown_argument();
        }
    }
    path[end] = 0;
    return path;
}

//// getsubopt
int getsubopt(char **options, char *const *names, char **value)
{
    char *text = *options;
    __SIZE_TYPE__ length = 0;
    __SIZE_TYPE__ name;
    int which;
    *value = (char *)0;
    if (text[0] == 0) {
        return -1;
    }
    while (text[length] != 0 && text[length] != ',') {
        length++;
    }
    *options = text + length;
    if (text[length] != 0) {
        *options = text + length + 1;
        text[length] = 0;
    }
    for (which = 0; names[which] != (char *)0; which++) {
        const char *known = names[which];
        name = 0;
        while (known[name] != 0 && known[name] == text[name]) {
            name++;
        }
        if (known[name] == 0 && (text[name] == 0 || text[name] == '=')) {
            if (text[name] == '=') {
                *value = text + name + 1;
            }
            return which;
        }
    }
    *value = text;
    return -1;
}
