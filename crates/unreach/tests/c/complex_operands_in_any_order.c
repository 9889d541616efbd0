// property: assert
// verdict: unsafe
// harness: a compiler takes one of the orders
#include <assert.h>

static int count;

static double _Complex first(void)
{
    count = 2 * count + 1;
    return count;
}

static double _Complex second(void)
{
    count = 3 * count;
    return count * 1.0i;
}

int main(void)
{
    double _Complex sum = first() + second();
    assert(__real__ sum == 1 && __imag__ sum == 3);
    return 0;
}
