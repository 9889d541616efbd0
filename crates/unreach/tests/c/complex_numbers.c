// property: assert
// verdict: safe
#include <assert.h>
#include <complex.h>

static double complex start = 1.0 + 2.0 * I - 0.5;
static float complex list[3] = {1.0f, 2.0fi};
static int calls;

static double complex next(double complex z)
{
    calls++;
    return z + 1;
}

int main(void)
{
    double complex a = 3.0 + 4.0i, b = 1.0 - 2.0i, c;
    assert(creal(start) == 0.5 && cimag(start) == 2.0);
    assert(__real__ list[0] == 1 && __imag__ list[1] == 2 && list[2] == 0);
    c = a * b;
    assert(__real__ c == 11.0 && __imag__ c == -2.0);
    c = a / (2.0 + 0.0i);
    assert(c == 1.5 + 2.0i);
    c = a / 2;
    assert(c == 1.5 + 2.0i);
    // A real number has no imaginary part, not one that is zero: the sign of the other one stays.
    c = 1.0 + conj(0.0 + 0.0i);
    assert(__builtin_signbit(cimag(c)));
    c = next(next(a)) - ~a;
    assert(calls == 2 && c == 2.0 + 8.0i);
    __imag__ a = 0;
    assert((int)a == 3 && (_Bool)b && !(a - 3));
    c = a++;
    assert(c == 3 && a == 4);
    list[calls++] *= 2;
    assert(calls == 3);
    int complex whole = 3 + 4i;
    whole = whole * whole;
    assert(__real__ whole == -7 && __imag__ whole == 24);
    assert(sizeof(float complex) == 8 && sizeof whole == 8);
    return 0;
}
