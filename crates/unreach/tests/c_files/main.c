#include "shared.h"
extern void reach_error(void);
static int counter = 1;
int limit = 1000;
struct shared total;
#ifndef LIMIT
#define LIMIT 3
#endif

int main(void) {
    add(&total, 2);
    add(&total, LIMIT);
    if (total.sum != LIMIT + 2 || total.calls != 2 || counter != 1 || limit != 1000)
        reach_error();
    return 0;
}
