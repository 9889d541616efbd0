// property: assert
// verdict: safe
// A copy through pointers to characters copies all members.
#include <assert.h>
#include <string.h>

struct pair { _Bool first; int second; };

int main(void) {
    struct pair from = {0, 1};
    struct pair to;
    memcpy((char *)&to, (char *)&from, sizeof(struct pair));
    assert(to.second == 1);
    return 0;
}
