// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// Behind the end of a text that was overwritten nothing stops the walk.
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
    memset(text, 'x', size);
    unsigned long length = length_of(text);
    free(text);
    return (int)length;
}
