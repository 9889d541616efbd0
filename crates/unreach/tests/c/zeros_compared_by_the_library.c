// property: assert
// verdict: safe
// Which of two zeros is the larger one is left open, but it is one of them.
#include <assert.h>
#include <math.h>

int main(void)
{
    double zero = fmax(0.0, -0.0);
    assert(zero == 0 && fmin(-0.0, 0.0) == 0);
    assert(acos(1.0) == 0 && exp(0.0) == 1 && log(1.0) == 0 && pow(7.5, 0.0) == 1);
    return 0;
}
