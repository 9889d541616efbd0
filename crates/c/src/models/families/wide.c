//// wcsdup
__WCHAR_TYPE__ *wcsdup(const __WCHAR_TYPE__ *text)
{
    __SIZE_TYPE__ length = 0;
    __SIZE_TYPE__ index;
    __WCHAR_TYPE__ *copy;
    while (text[length] != 0) {
        length++;
    }
    copy = __builtin_malloc((length + 1) * sizeof(__WCHAR_TYPE__));
    if (copy == (__WCHAR_TYPE__ *)0) {
        return copy;
    }
    for (index = 0; index <= length; index++) {
        copy[index] = text[index];
    }
    return copy;
}

//// wcscasecmp
#include <wctype.h>
int wcscasecmp(const __WCHAR_TYPE__ *left, const __WCHAR_TYPE__ *right)
{
    __SIZE_TYPE__ index = 0;
    while (left[index] != 0 && towlower(left[index]) == towlower(right[index])) {
        index++;
    }
    return __unreach_order(towlower(left[index]), towlower(right[index]));
}

//// wcsncasecmp
#include <wctype.h>
int wcsncasecmp(const __WCHAR_TYPE__ *left, const __WCHAR_TYPE__ *right, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ index = 0;
    while (index < most && left[index] != 0 && towlower(left[index]) == towlower(right[index])) {
        index++;
    }
    if (index == most) {
        return 0;
    }
    return __unreach_order(towlower(left[index]), towlower(right[index]));
}

//// wmemcpy
__WCHAR_TYPE__ *wmemcpy(__WCHAR_TYPE__ *to, const __WCHAR_TYPE__ *from, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < count; index++) {
        to[index] = from[index];
    }
    return to;
}

//// wmempcpy
__WCHAR_TYPE__ *wmempcpy(__WCHAR_TYPE__ *to, const __WCHAR_TYPE__ *from, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < count; index++) {
        to[index] = from[index];
    }
    return to + count;
}

//// wmemmove
__WCHAR_TYPE__ *wmemmove(__WCHAR_TYPE__ *to, const __WCHAR_TYPE__ *from, __SIZE_TYPE__ count)
{
    __builtin_memmove(to, from, count * sizeof(__WCHAR_TYPE__));
    return to;
}

//// wmemset
__WCHAR_TYPE__ *wmemset(__WCHAR_TYPE__ *to, __WCHAR_TYPE__ character, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < count; index++) {
        to[index] = character;
    }
    return to;
}

//// wmemchr
__WCHAR_TYPE__ *wmemchr(const __WCHAR_TYPE__ *memory, __WCHAR_TYPE__ wanted, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < count; index++) {
        if (memory[index] == wanted) {
            return (__WCHAR_TYPE__ *)memory + index;
        }
    }
    return (__WCHAR_TYPE__ *)0;
}

//// wmemcmp
int wmemcmp(const __WCHAR_TYPE__ *left, const __WCHAR_TYPE__ *right, __SIZE_TYPE__ count)
{
    __SIZE_TYPE__ index = 0;
    __WCHAR_TYPE__ last;
    while (index < count && left[index] == right[index]) {
        index++;
    }
    if (index == count) {
        return 0;
    }
    /* All of them have to be there, also behind the first difference. */
    last = left[count - 1];
    last = right[count - 1];
    return __unreach_order(left[index], right[index]);
}

//// __unreach_narrow
/* Digits, signs and spaces are as wide characters what they are as others; what else there is, no number has. */
static char *__unreach_narrow(const __WCHAR_TYPE__ *text)
{
    __SIZE_TYPE__ length = 0;
    __SIZE_TYPE__ index;
    char *narrow;
    while (text[length] != 0) {
        length++;
    }
    narrow = __builtin_malloc(length + 1);
    __builtin_assume(narrow != (char *)0);
    for (index = 0; index <= length; index++) {
        narrow[index] = text[index] >= 0 && text[index] < 128 ? (char)text[index] : '?';
    }
    return narrow;
}

//// wcstol
#include <stdlib.h>
long wcstol(const __WCHAR_TYPE__ *text, __WCHAR_TYPE__ **end, int base)
{
    char *narrow = __unreach_narrow(text);
    char *rest;
    long value = strtol(narrow, &rest, base);
    if (end) {
        *end = (__WCHAR_TYPE__ *)text + (rest - narrow);
    }
    __builtin_free(narrow);
    return value;
}

//// wcstoul
#include <stdlib.h>
unsigned long wcstoul(const __WCHAR_TYPE__ *text, __WCHAR_TYPE__ **end, int base)
{
    char *narrow = __unreach_narrow(text);
    char *rest;
    unsigned long value = strtoul(narrow, &rest, base);
    if (end) {
        *end = (__WCHAR_TYPE__ *)text + (rest - narrow);
    }
    __builtin_free(narrow);
    return value;
}

//// wcstoll
#include <stdlib.h>
long long wcstoll(const __WCHAR_TYPE__ *text, __WCHAR_TYPE__ **end, int base)
{
    char *narrow = __unreach_narrow(text);
    char *rest;
    long long value = strtoll(narrow, &rest, base);
    if (end) {
        *end = (__WCHAR_TYPE__ *)text + (rest - narrow);
    }
    __builtin_free(narrow);
    return value;
}

//// wcstoull
#include <stdlib.h>
unsigned long long wcstoull(const __WCHAR_TYPE__ *text, __WCHAR_TYPE__ **end, int base)
{
    char *narrow = __unreach_narrow(text);
    char *rest;
    unsigned long long value = strtoull(narrow, &rest, base);
    if (end) {
        *end = (__WCHAR_TYPE__ *)text + (rest - narrow);
    }
    __builtin_free(narrow);
    return value;
}

//// wcstod
#include <stdlib.h>
double wcstod(const __WCHAR_TYPE__ *text, __WCHAR_TYPE__ **end)
{
    char *narrow = __unreach_narrow(text);
    char *rest;
    double value = strtod(narrow, &rest);
    if (end) {
        *end = (__WCHAR_TYPE__ *)text + (rest - narrow);
    }
    __builtin_free(narrow);
    return value;
}

//// __unreach_wide_class
/* What characters beyond those of ASCII are depends on the locale. */
extern int __unknown_int(void);
static int __unreach_wide_class(unsigned int character)
{
    return character == 0xffffffffu ? 0 : __unknown_int();
}

//// iswalnum
#include <ctype.h>
int iswalnum(unsigned int character)
{
    return character < 128 ? isalnum((int)character) : __unreach_wide_class(character);
}

//// iswalpha
#include <ctype.h>
int iswalpha(unsigned int character)
{
    return character < 128 ? isalpha((int)character) : __unreach_wide_class(character);
}

//// iswblank
#include <ctype.h>
int iswblank(unsigned int character)
{
    return character < 128 ? isblank((int)character) : __unreach_wide_class(character);
}

//// iswcntrl
#include <ctype.h>
int iswcntrl(unsigned int character)
{
    return character < 128 ? iscntrl((int)character) : __unreach_wide_class(character);
}

//// iswdigit
#include <ctype.h>
int iswdigit(unsigned int character)
{
    return character < 128 ? isdigit((int)character) : 0;
}

//// iswgraph
#include <ctype.h>
int iswgraph(unsigned int character)
{
    return character < 128 ? isgraph((int)character) : __unreach_wide_class(character);
}

//// iswlower
#include <ctype.h>
int iswlower(unsigned int character)
{
    return character < 128 ? islower((int)character) : __unreach_wide_class(character);
}

//// iswprint
#include <ctype.h>
int iswprint(unsigned int character)
{
    return character < 128 ? isprint((int)character) : __unreach_wide_class(character);
}

//// iswpunct
#include <ctype.h>
int iswpunct(unsigned int character)
{
    return character < 128 ? ispunct((int)character) : __unreach_wide_class(character);
}

//// iswspace
#include <ctype.h>
int iswspace(unsigned int character)
{
    return character < 128 ? isspace((int)character) : __unreach_wide_class(character);
}

//// iswupper
#include <ctype.h>
int iswupper(unsigned int character)
{
    return character < 128 ? isupper((int)character) : __unreach_wide_class(character);
}

//// iswxdigit
#include <ctype.h>
int iswxdigit(unsigned int character)
{
    return character < 128 ? isxdigit((int)character) : 0;
}

//// towlower
extern unsigned int __unknown_unsigned(void);
unsigned int towlower(unsigned int character)
{
    if (character < 128) {
        return character >= 'A' && character <= 'Z' ? character + 32 : character;
    }
    return character == 0xffffffffu ? character : __unknown_unsigned();
}

//// towupper
extern unsigned int __unknown_unsigned(void);
unsigned int towupper(unsigned int character)
{
    if (character < 128) {
        return character >= 'a' && character <= 'z' ? character - 32 : character;
    }
    return character == 0xffffffffu ? character : __unknown_unsigned();
}

//// wctype
extern unsigned long __unknown_unsigned_long(void);
unsigned long wctype(const char *name)
{
    __unreach_ends(name);
    return __unknown_unsigned_long();
}

//// iswctype
extern int __unknown_int(void);
int iswctype(unsigned int character, unsigned long kind)
{
    return kind == 0 || character == 0xffffffffu ? 0 : __unknown_int();
}

//// btowc
extern unsigned int __unknown_unsigned(void);
unsigned int btowc(int character)
{
    if (character >= 0 && character < 128) {
        return (unsigned int)character;
    }
    return character == -1 ? 0xffffffffu : __unknown_unsigned();
}

//// wctob
extern int __unknown_int(void);
int wctob(unsigned int character)
{
    int byte;
    if (character < 128) {
        return (int)character;
    }
    byte = character == 0xffffffffu ? -1 : __unknown_int();
    __builtin_assume(byte == -1 || (byte >= 128 && byte <= 255));
    return byte;
}

//// mbsinit
extern int __unknown_int(void);
int mbsinit(const void *state)
{
    return state == (void *)0 ? 1 : __unknown_int();
}

//// __unreach_decoded
/* The number of bytes of the first character, and what it is; nothing is known of those that are not of ASCII. */
extern __SIZE_TYPE__ __unknown_size(void);
extern __WCHAR_TYPE__ __unknown_wide(void);
static __SIZE_TYPE__ __unreach_decoded(__WCHAR_TYPE__ *to, const char *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ length = (__SIZE_TYPE__)-2;
    __SIZE_TYPE__ index;
    __WCHAR_TYPE__ wide;
    if (most == 0) {
        return length;
    }
    if (text[0] >= 0) {
        if (to) {
            *to = text[0];
        }
        return text[0] != 0;
    }
    length = __unknown_size();
    __builtin_assume((length > 0 && length <= 16 && length <= most) || length == (__SIZE_TYPE__)-1
                     || length == (__SIZE_TYPE__)-2);
    if (length == (__SIZE_TYPE__)-1) {
        __unreach_error();
        return length;
    }
    if (length == (__SIZE_TYPE__)-2) {
        return length;
    }
    for (index = 1; index < length; index++) {
        __builtin_assume(text[index] != 0);
    }
    wide = __unknown_wide();
    __builtin_assume(wide != 0);
    if (to) {
        *to = wide;
    }
    return length;
}

//// mbrtowc
/* Encodings with states, and characters in parts, are left open. */
extern void __unknown_argument(void);
__SIZE_TYPE__ mbrtowc(__WCHAR_TYPE__ *to, const char *text, __SIZE_TYPE__ most, void *state)
{
    __SIZE_TYPE__ length;
    if (text == (char *)0) {
        return 0;
    }
    length = __unreach_decoded(to, text, most);
    if (length == (__SIZE_TYPE__)-2) {
        __unknown_argument();
    }
    return length;
}

//// mbrlen
extern void __unknown_argument(void);
__SIZE_TYPE__ mbrlen(const char *text, __SIZE_TYPE__ most, void *state)
{
    __SIZE_TYPE__ length;
    if (text == (char *)0) {
        return 0;
    }
    length = __unreach_decoded((__WCHAR_TYPE__ *)0, text, most);
    if (length == (__SIZE_TYPE__)-2) {
        __unknown_argument();
    }
    return length;
}

//// mbtowc
extern int __unknown_int(void);
int mbtowc(__WCHAR_TYPE__ *to, const char *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ length;
    if (text == (char *)0) {
        return __unknown_int();
    }
    length = __unreach_decoded(to, text, most);
    return length > 16 ? -1 : (int)length;
}

//// mblen
extern int __unknown_int(void);
int mblen(const char *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ length;
    if (text == (char *)0) {
        return __unknown_int();
    }
    length = __unreach_decoded((__WCHAR_TYPE__ *)0, text, most);
    return length > 16 ? -1 : (int)length;
}

//// __unreach_encoded
extern __SIZE_TYPE__ __unknown_size(void);
extern char __unknown_character(void);
static __SIZE_TYPE__ __unreach_encoded(char *to, __WCHAR_TYPE__ wide)
{
    __SIZE_TYPE__ length;
    __SIZE_TYPE__ index;
    if (wide >= 0 && wide < 128) {
        to[0] = (char)wide;
        return 1;
    }
    length = __unknown_size();
    __builtin_assume((length > 0 && length <= 16) || length == (__SIZE_TYPE__)-1);
    if (length == (__SIZE_TYPE__)-1) {
        __unreach_error();
        return length;
    }
    for (index = 0; index < length; index++) {
        to[index] = __unknown_character();
        __builtin_assume(to[index] != 0);
    }
    return length;
}

//// wcrtomb
extern __SIZE_TYPE__ __unknown_size(void);
__SIZE_TYPE__ wcrtomb(char *to, __WCHAR_TYPE__ wide, void *state)
{
    if (to == (char *)0) {
        return 1;
    }
    return __unreach_encoded(to, wide);
}

//// wctomb
extern int __unknown_int(void);
int wctomb(char *to, __WCHAR_TYPE__ wide)
{
    __SIZE_TYPE__ length;
    if (to == (char *)0) {
        return __unknown_int();
    }
    length = __unreach_encoded(to, wide);
    return length > 16 ? -1 : (int)length;
}

//// mbstowcs
__SIZE_TYPE__ mbstowcs(__WCHAR_TYPE__ *to, const char *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ count = 0;
    __SIZE_TYPE__ at = 0;
    while (to == (__WCHAR_TYPE__ *)0 || count < most) {
        __WCHAR_TYPE__ wide;
        __SIZE_TYPE__ length = __unreach_decoded(&wide, text + at, 16);
        if (length > 16) {
            return (__SIZE_TYPE__)-1;
        }
        if (to) {
            to[count] = wide;
        }
        if (wide == 0) {
            return count;
        }
        count++;
        at += length;
    }
    return count;
}

//// wcstombs
__SIZE_TYPE__ wcstombs(char *to, const __WCHAR_TYPE__ *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ size = 0;
    __SIZE_TYPE__ at;
    for (at = 0; to == (char *)0 || size < most; at++) {
        char bytes[16];
        __SIZE_TYPE__ index;
        __SIZE_TYPE__ length = __unreach_encoded(bytes, text[at]);
        if (length > 16) {
            return length;
        }
        if (to && length > most - size) {
            return size;
        }
        for (index = 0; to && index < length; index++) {
            to[size + index] = bytes[index];
        }
        if (text[at] == 0) {
            return size;
        }
        size += length;
    }
    return size;
}

//// mbsrtowcs
__SIZE_TYPE__ mbsrtowcs(__WCHAR_TYPE__ *to, const char **from, __SIZE_TYPE__ most, void *state)
{
    const char *text = *from;
    __SIZE_TYPE__ count = 0;
    __SIZE_TYPE__ at = 0;
    while (to == (__WCHAR_TYPE__ *)0 || count < most) {
        __WCHAR_TYPE__ wide;
        __SIZE_TYPE__ length = __unreach_decoded(&wide, text + at, 16);
        if (length > 16) {
            if (to) {
                *from = text + at;
            }
            return (__SIZE_TYPE__)-1;
        }
        if (to) {
            to[count] = wide;
        }
        if (wide == 0) {
            if (to) {
                *from = (char *)0;
            }
            return count;
        }
        count++;
        at += length;
    }
    *from = text + at;
    return count;
}

//// wcsrtombs
__SIZE_TYPE__ wcsrtombs(char *to, const __WCHAR_TYPE__ **from, __SIZE_TYPE__ most, void *state)
{
    const __WCHAR_TYPE__ *text = *from;
    __SIZE_TYPE__ size = 0;
    __SIZE_TYPE__ at = 0;
    while (to == (char *)0 || size < most) {
        char bytes[16];
        __SIZE_TYPE__ index;
        __SIZE_TYPE__ length = __unreach_encoded(bytes, text[at]);
        if (length > 16) {
            if (to) {
                *from = text + at;
            }
            return length;
        }
        if (to && length > most - size) {
            break;
        }
        for (index = 0; to && index < length; index++) {
            to[size + index] = bytes[index];
        }
        if (text[at] == 0) {
            if (to) {
                *from = (__WCHAR_TYPE__ *)0;
            }
            return size;
        }
        size += length;
        at++;
    }
    *from = text + at;
    return size;
}

//// mbrtoc32
extern void __unknown_argument(void);
__SIZE_TYPE__ mbrtoc32(unsigned int *to, const char *text, __SIZE_TYPE__ most, void *state)
{
    __WCHAR_TYPE__ wide;
    __SIZE_TYPE__ length;
    if (text == (char *)0) {
        return 0;
    }
    length = __unreach_decoded(&wide, text, most);
    if (length == (__SIZE_TYPE__)-2) {
        __unknown_argument();
    }
    if (to && length <= 16) {
        *to = (unsigned int)wide;
    }
    return length;
}

//// c32rtomb
__SIZE_TYPE__ c32rtomb(char *to, unsigned int wide, void *state)
{
    if (to == (char *)0) {
        return 1;
    }
    return __unreach_encoded(to, (__WCHAR_TYPE__)wide);
}

//// mbrtoc16
extern void __unknown_argument(void);
__SIZE_TYPE__ mbrtoc16(unsigned short *to, const char *text, __SIZE_TYPE__ most, void *state)
{
    if (text == (char *)0) {
        return 0;
    }
    if (most == 0 || text[0] < 0) {
        __unknown_argument();
    }
    if (to) {
        *to = (unsigned short)text[0];
    }
    return text[0] != 0;
}

//// c16rtomb
extern void __unknown_argument(void);
__SIZE_TYPE__ c16rtomb(char *to, unsigned short wide, void *state)
{
    if (to == (char *)0) {
        return 1;
    }
    if (wide >= 128) {
        __unknown_argument();
    }
    to[0] = (char)wide;
    return 1;
}

//// wcsxfrm
__SIZE_TYPE__ wcsxfrm(__WCHAR_TYPE__ *to, const __WCHAR_TYPE__ *from, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ index = 0;
    while (from[index] != 0) {
        if (index < most) {
            to[index] = from[index];
        }
        index++;
    }
    if (index < most) {
        to[index] = 0;
    }
    return index;
}

//// wcwidth
extern int __unknown_int(void);
int wcwidth(__WCHAR_TYPE__ wide)
{
    if (wide >= 32 && wide < 127) {
        return 1;
    }
    return wide == 0 ? 0 : __unknown_int();
}
