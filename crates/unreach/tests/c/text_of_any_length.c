// property: valid-memsafety
// verdict: safe
// A text ends before its memory does, wherever its end is.
#include <stdlib.h>
#include <string.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long length_of(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (unsigned long)(end - text);
}

int main(void) {
    unsigned long size = __VERIFIER_nondet_ulong();
    if (size == 0 || size > 1000000) return 0;
    char *text = malloc(size);
    if (!text) return 1;
    text[size - 1] = 0;
    unsigned long length = length_of(text);
    text[length] = 'x';
    free(text);
    return 0;
}
