// property: assert
// verdict: unsafe
// harness: where a file is set is not an input of the test
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("x", "r");
    if (file) {
        assert(fseek(file, 0, SEEK_SET) == 0);
    }
    return 0;
}
