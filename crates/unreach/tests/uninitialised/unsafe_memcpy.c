#include <stdlib.h>
#include <string.h>
int main(void) {
    int *numbers = malloc(4 * sizeof *numbers), copy[4];
    if (!numbers)
        return 0;
    numbers[2] = 7;
    memcpy(copy, numbers, sizeof copy);
    free(numbers);
    if (copy[3] > 0)
        return 0;
    return 1;
}
