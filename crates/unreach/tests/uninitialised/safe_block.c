#include <stdlib.h>
int main(void) {
    int *numbers = malloc(2 * sizeof *numbers);
    if (!numbers)
        return 0;
    numbers[0] = 1;
    numbers[1] = 6;
    if (numbers[1] > 5)
        numbers[0] = 2;
    free(numbers);
    return 0;
}
