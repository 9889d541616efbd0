// property: assert
// verdict: unknown
// More than can be converted by one exact operation: nothing is said about the last bit.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(strtod("1e23", (char **)0) == 1e23);
    return 0;
}
