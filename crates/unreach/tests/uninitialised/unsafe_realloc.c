#include <stdlib.h>
int main(void) {
    int *numbers = malloc(sizeof *numbers);
    if (!numbers)
        return 0;
    numbers[0] = 1;
    int *more = realloc(numbers, 3 * sizeof *numbers);
    if (!more) {
        free(numbers);
        return 0;
    }
    if (more[0] > 0 && more[1] > 0)
        more[0] = 2;
    free(more);
    return 0;
}
