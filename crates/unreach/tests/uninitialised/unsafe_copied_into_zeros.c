#include <stdlib.h>
#include <string.h>
int main(void) {
    int numbers[4], *from = numbers;
    int *zeros = calloc(3, sizeof *zeros);
    if (!zeros)
        return 0;
    memcpy(zeros, from, 2 * sizeof(int));
    if (zeros[0] > 4)
        zeros[2] = 1;
    free(zeros);
    return 0;
}
