// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
#include <stdio.h>

int main(void) {
    char text[2] = {'a', 'b'};
    printf("%d %.1s\n", 1, text);
    printf("%s\n", text);
    return 0;
}
