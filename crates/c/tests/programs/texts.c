/* Characters and strings of all kinds. */
#include <stddef.h>
long result;

int main(void)
{
    wchar_t w = L'\x20ac';
    wchar_t s[] = L"\u20acx";
    unsigned short t[] = u"a\U0001f600";
    unsigned u[] = U"\U0001f600";
    char v[] = "\u00e9\xff\0012\7";
    result = w + s[0] + s[1] + sizeof s + sizeof t + sizeof v;
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++)
        result = result * 3 + t[i];
    for (unsigned i = 0; i < sizeof v; i++)
        result = result * 3 + v[i];
    result = result * 3 + u[0] + '\'' + '"' + '\e' + 'ab' + (L"ab" "c")[2] + u'\xffff' + U'\xffffffff';
    return 0;
}
