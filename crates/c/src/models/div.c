#include <stdlib.h>
div_t div(int left, int right)
{
    div_t both;
    both.quot = left / right;
    both.rem = left % right;
    return both;
}
