// property: valid-memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *home = getenv("HOME");
    if (home && home[0]) {
        return home[1];
    }
    return 0;
}
