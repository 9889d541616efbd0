// property: assert
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t to[16], *rest, *end;
    assert(wcslen(L"abc") == 3 && wcsnlen(L"abc", 2) == 2);
    assert(wcscmp(wcscpy(to, L"abc"), L"abc") == 0 && wcscmp(L"b", L"a") > 0 && wcsncmp(L"abx", L"aby", 2) == 0);
    assert(wcscat(to, L"de") == to && wcslen(to) == 5 && wcscmp(to, L"abcde") == 0);
    assert(wcschr(to, L'c') == to + 2 && wcsrchr(to, 0) == to + 5 && wcschr(to, L'z') == NULL);
    assert(wcsstr(to, L"cd") == to + 2 && wcsspn(to, L"ba") == 2 && wcscspn(to, L"d") == 3);
    assert(wmemcmp(wmemset(to, L'x', 3), L"xxx", 3) == 0 && wmemchr(to, L'd', 5) == to + 3);
    assert(wcstol(L" -42;", &end, 10) == -42 && *end == L';' && wcstoul(L"0x1f", NULL, 0) == 31);
    wcscpy(to, L"a b");
    assert(wcscmp(wcstok(to, L" ", &rest), L"a") == 0 && wcscmp(wcstok(NULL, L" ", &rest), L"b") == 0);
    assert(wcstok(NULL, L" ", &rest) == NULL);
    assert(iswalpha(L'q') && !iswdigit(L'q') && towupper(L'q') == L'Q' && btowc('a') == L'a' && wctob(L'a') == 'a');
    assert(wcscasecmp(L"AbC", L"aBc") == 0);
    mbstate_t state = {0};
    char bytes[16];
    const char *from = "hey";
    assert(mbsinit(NULL) && mbrtowc(to, from, 3, &state) == 1 && to[0] == L'h' && mbrtowc(to, "", 1, NULL) == 0);
    assert(mbstowcs(to, from, 16) == 3 && to[3] == 0 && wcstombs(bytes, to, 16) == 3 && bytes[2] == 'y');
    assert(mbsrtowcs(to, &from, 16, NULL) == 3 && from == NULL && wctomb(bytes, L'k') == 1 && bytes[0] == 'k');
    return 0;
}
