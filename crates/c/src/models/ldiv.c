#include <stdlib.h>
ldiv_t ldiv(long left, long right)
{
    ldiv_t both;
    both.quot = left / right;
    both.rem = left % right;
    return both;
}
