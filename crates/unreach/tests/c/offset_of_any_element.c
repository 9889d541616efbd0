// property: assert
// verdict: safe
#include <assert.h>
#include <stddef.h>
struct table { char name; struct { short x, y; } rows[10]; };

int main(int count, char **arguments)
{
    unsigned char index = count;
    assert(offsetof(struct table, rows[index].y) == 4 + 4 * index);
    return 0;
}
