// property: assert
// verdict: unknown
// More digits than can be converted by one exact operation: nothing is said about the last bit.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(strtod("0.12345678901234567890123", (char **)0) == 0.12345678901234567890123);
    return 0;
}
