// property: assert
// verdict: safe
// An infinite factor gives an infinite product, although both parts would be computed as not-a-number (C11 G.5.1).
#include <assert.h>
#include <complex.h>
#include <math.h>

int main(void)
{
    double _Complex infinite = CMPLX(INFINITY, NAN), other = 1.0 + 1.0i;
    double _Complex product = infinite * other;
    assert(isinf(__real__ product) || isinf(__imag__ product));
    double _Complex quotient = other / CMPLX(INFINITY, 1.0);
    assert(__real__ quotient == 0 && __imag__ quotient == 0);
    return 0;
}
