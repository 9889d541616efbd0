// property: assert
// verdict: unsafe
// Three objects whose addresses are looked at have to lie somewhere, each in its own place.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int i;
    int *numbers = malloc(40);
    char *text = malloc(10);
    unsigned long sum = (unsigned long)numbers + (unsigned long)text + (unsigned long)&i;
    if (sum == 0)
        return 1;
    for (i = 0; i < 3; i++)
        numbers[i] = i;
    for (i = 2; i >= 0; i--)
        text[i] = -i;
    assert(numbers[0] == 1);
    return 0;
}
