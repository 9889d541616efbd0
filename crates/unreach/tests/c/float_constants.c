// property: unreach-call
// verdict: safe
// Literals, casts and library functions on constants, as IEEE 754 has them.
#include <float.h>
#include <math.h>
extern void reach_error(void);
void check(int condition) {
    if (!condition)
        reach_error();
}
int main(void) {
    double tenth = 0.1;
    float single = 0.1f;
    check(tenth + 0.2 != 0.3);
    check(single != tenth);
    check((float)tenth == single);
    check(16777216.0f + 1.0f == 16777216.0f);
    check(FLT_MAX * 2 > FLT_MAX && FLT_MAX * 2.0f == INFINITY);
    check(-0.0 == 0.0 && signbit(-0.0) && !signbit(0.0));
    check(isnan(NAN) && !(NAN == NAN) && isnan(INFINITY - INFINITY));
    check(isinf(1e308 * 10) && isfinite(DBL_MAX) && !isnormal(DBL_MIN / 2) && isnormal(1.0));
    check(fpclassify(0.0) == FP_ZERO && fpclassify(DBL_MIN / 4) == FP_SUBNORMAL);
    check(floor(-0.5) == -1 && ceil(0.5) == 1 && round(-2.5) == -3 && rint(2.5) == 2 && trunc(-2.9) == -2);
    check(sqrt(2.0) * sqrt(2.0) != 2.0 && sqrt(9.0) == 3.0);
    check(fmin(NAN, 1) == 1 && fmax(2, 3) == 3 && fdim(3, 5) == 0 && fabs(-2.0) == 2 && copysign(3, -0.0) == -3);
    check(fmod(7.5, 2) == 1.5 && fmod(-7.5, 2) == -1.5 && remainder(7.5, 2) == -0.5);
    check((int)-3.99 == -3 && (int)3.99f == 3 && lround(2.5) == 3);
    check(isgreater(2.0f, 1.0) && isless(1, 2.5) && isunordered(1.0, NAN) && !islessgreater(1.0f, 1.0));
    check(0x1.8p1 == 3 && 1e-400 == 0);
    long double wide = 1.0L / 3;
    check(wide != 1.0 / 3 && (double)wide == 1.0 / 3);
    return 0;
}
