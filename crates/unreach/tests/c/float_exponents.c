// property: assert
// verdict: safe
#include <assert.h>
#include <float.h>
#include <math.h>

int main(void) {
    int exponent;
    assert(nextafter(1.0, 2.0) == 1.0 + DBL_EPSILON && nextafterf(1.0f, 0.0f) == 1.0f - FLT_EPSILON / 2);
    assert(nextafter(0.0, -1.0) < 0 && nextafter(-0.0, 1.0) > 0 && nextafter(DBL_MAX, INFINITY) == INFINITY);
    assert(frexp(10.0, &exponent) == 0.625 && exponent == 4 && frexp(-0.25, &exponent) == -0.5 && exponent == -1);
    assert(frexp(0x1p-1074, &exponent) == 0.5 && exponent == -1073 && frexpf(3.0f, &exponent) == 0.75f && exponent == 2);
    assert(ilogb(8.5) == 3 && ilogbf(0.2f) == -3 && ilogb(0x1p-1074) == -1074 && logb(1024.0) == 10.0);
    assert(ldexp(0.75, 4) == 12.0 && ldexpf(1.0f, -149) == 0x1p-149f && scalbn(1.0, -1074) == 0x1p-1074);
    assert(ldexp(1.0, 2000) == INFINITY && ldexp(1.0, -3000) == 0.0 && scalbn(0x1p-1074, 2097) == 0x1p1023);
    assert(scalbln(3.0, -1075) == 0x1p-1073 && scalbn(5.0, -1076) == 0x1p-1074);
    return 0;
}
