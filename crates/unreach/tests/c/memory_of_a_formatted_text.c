// property: valid-memsafety
// verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text;
    int length = asprintf(&text, "%d-%s", 42, "abc");
    if (length < 0) {
        return 1;
    }
    text[5] = 'd';
    free(text);
    return 0;
}
