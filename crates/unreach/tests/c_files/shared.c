#include <shared.h>
static int counter = 40;
/* The other file has a variable of this name for all. */
static char limit = 1;
extern struct shared total;

void add(struct shared *to, int value) {
    counter += limit;
    to->sum += value;
    to->calls++;
    total.seen = counter;
}
