// property: assert
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[16];
    assert(snprintf(text, sizeof text, "%d:%s", -12, "ab") == 6);
    assert(strcmp(text, "-12:ab") == 0);
    assert(sprintf(text, "%03u|%-3c|%x", 7u, 'q', 255) == 10);
    assert(strcmp(text, "007|q  |ff") == 0);
    assert(snprintf(text, 4, "%s", "truncated") == 9);
    assert(text[2] == 'u' && text[3] == 0);
    return 0;
}
