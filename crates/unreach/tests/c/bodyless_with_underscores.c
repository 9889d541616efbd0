// property: valid-memsafety
// verdict: safe
// Names of operating systems begin with underscores: nothing is known of such a function, and it is no function of the library.
#include <stdlib.h>
struct device;
struct device *__find_device(int number);
int __is_ready(struct device *device);

static int *memory;

int main(void) {
    struct device *device = __find_device(3);
    if (!device || !__is_ready(device))
        return 1;
    memory = malloc(2 * sizeof *memory);
    memory[1] = 1;
    free(memory);
    return 0;
}
