// property: valid-memsafety
// verdict: safe
// may-fail: allocation
// Where `realloc` fails, the old block is as it was.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = strdup("one");
    if (!text) return 1;
    char *longer = realloc(text, 8);
    if (!longer) {
        char first = text[0];
        free(text);
        return first;
    }
    longer[7] = 0;
    free(longer);
    return 0;
}
