// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text;
    if (asprintf(&text, "%d", 42) < 0) {
        return 1;
    }
    text[3] = 0;
    free(text);
    return 0;
}
