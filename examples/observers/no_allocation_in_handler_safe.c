#include <stdlib.h>
extern int nondet_int(void);
static int pending;

void handler(int depth) {
    pending++;
    if (depth > 0) handler(depth - 1);
}

int main(void) {
    char *buffer = malloc(16);
    handler(nondet_int());
    char *second = malloc(16);
    free(second);
    free(buffer);
    return 0;
}
