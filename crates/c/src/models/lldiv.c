#include <stdlib.h>
lldiv_t lldiv(long long left, long long right)
{
    lldiv_t both;
    both.quot = left / right;
    both.rem = left % right;
    return both;
}
