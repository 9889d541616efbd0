#include <shared.h>
static int counter = 40;
extern struct shared total;

void add(struct shared *to, int value) {
    counter++;
    to->sum += value;
    to->calls++;
    total.seen = counter;
}
