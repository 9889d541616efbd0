// property: valid-memsafety
// verdict: unsafe
// fails: valid-free
// harness: whether a file can be opened is not an input of the test
#include <stdio.h>

int main(void) {
    FILE *file = fopen("x", "r");
    if (file) {
        fclose(file);
        fclose(file);
    }
    return 0;
}
