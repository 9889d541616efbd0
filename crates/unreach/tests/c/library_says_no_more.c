// property: assert
// verdict: unsafe
// harness: compiled libraries answer with the numbers that they happen to have
// `isalpha` gives any number but zero, and `strcmp` only a sign.
#include <assert.h>
#include <ctype.h>
#include <string.h>

int main(void) {
    assert(isalpha('a') != 0 && !isalpha('1'));
    assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("a", "a") == 0);
    assert(strcmp("b", "a") == 1);
    return 0;
}
