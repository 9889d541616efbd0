// property: assert
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int main(void) {
    char text[] = "a,b;;c", *rest = text, to[8], pair[] = "abcd", swapped[4];
    assert(strchrnul(text, 'x') == text + 6 && strchrnul(text, ';') == text + 3);
    assert(memrchr(text, ';', 6) == text + 4 && memrchr(text, 'z', 6) == NULL);
    assert(memmem(text, 6, ";;", 2) == text + 3 && memmem(text, 6, ";c;", 3) == NULL);
    assert(rawmemchr(text, 'c') == text + 5);
    assert(memccpy(to, "ab;", ';', 8) == to + 3 && to[2] == ';' && memccpy(to, "ab", 'x', 2) == NULL);
    assert(stpncpy(to, "hi", 4) == to + 2 && to[3] == 0 && stpncpy(to, "hello", 3) == to + 3);
    assert(strcasestr("Hello World", "WOR") != NULL && strcasestr("Hello", "xy") == NULL);
    assert(strcmp(strsep(&rest, ",;"), "a") == 0 && strcmp(strsep(&rest, ",;"), "b") == 0);
    assert(*strsep(&rest, ",;") == 0 && strcmp(strsep(&rest, ",;"), "c") == 0 && strsep(&rest, ",;") == NULL);
    swab(pair, swapped, 4);
    assert(swapped[0] == 'b' && swapped[1] == 'a' && swapped[2] == 'd' && swapped[3] == 'c');
    assert(bcmp("ab", "ab", 2) == 0 && bcmp("ab", "ac", 2) != 0);
    assert(strxfrm(to, "abc", 8) == 3 && strcmp(to, "abc") == 0);
    char options[] = "ro,size=12,x", *which = options, *value;
    char *const names[] = {"ro", "size", NULL};
    assert(getsubopt(&which, names, &value) == 0 && value == NULL);
    assert(getsubopt(&which, names, &value) == 1 && strcmp(value, "12") == 0);
    assert(getsubopt(&which, names, &value) == -1 && strcmp(value, "x") == 0 && *which == 0);
    return 0;
}
