#include <stdlib.h>
extern int nondet_int(void);
static int pending;

void log_event(int number) {
    if (number > 2) {
        char *text = malloc(8);
        free(text);
    }
}
void handler(int depth) {
    pending++;
    if (depth > 0) handler(depth - 1);
    log_event(pending); /* still inside, although an inner handler has returned */
}

int main(void) {
    handler(2);
    return 0;
}
