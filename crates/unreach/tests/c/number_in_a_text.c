// property: assert
// verdict: safe
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    assert(strtod(" -2.50e1x", &end) == -25.0 && *end == 'x');
    assert(strtod("1e", &end) == 1 && *end == 'e');
    assert(strtod("-", &end) == 0 && *end == '-');
    assert(strtof("0.1", (char **)0) == 0.1f && strtold("0.1", &end) == 0.1L);
    assert(atof("123.456") == 123.456);
    return 0;
}
