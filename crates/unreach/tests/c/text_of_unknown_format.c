// property: assert
// verdict: unknown
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[32];
    snprintf(text, sizeof text, "%f", 1.5);
    assert(text[31] == 0 || text[0] == '1');
    return 0;
}
