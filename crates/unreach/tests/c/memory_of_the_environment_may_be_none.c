// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the environment of the test is what it is
#include <stdlib.h>

int main(void)
{
    return getenv("HOME")[0];
}
