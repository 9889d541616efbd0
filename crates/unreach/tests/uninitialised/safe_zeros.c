#include <stdlib.h>
#include <string.h>
int main(void) {
    int *numbers = calloc(2, sizeof *numbers);
    int others[3];
    memset(others, 0, sizeof others);
    if (!numbers)
        return 0;
    if (numbers[1] > 5 || others[2] > 3)
        numbers[0] = 2;
    free(numbers);
    return 0;
}
