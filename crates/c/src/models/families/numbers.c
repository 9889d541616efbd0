//// nextafter
double nextafter(double from, double to)
{
    union { double number; unsigned long long bits; } both;
    if (from != from || to != to) {
        return from + to;
    }
    if (from == to) {
        return to;
    }
    if (from == 0) {
        both.bits = 1;
        return to > 0 ? both.number : -both.number;
    }
    both.number = from;
    if ((from < to) == (from > 0)) {
        both.bits = both.bits + 1;
    } else {
        both.bits = both.bits - 1;
    }
    return both.number;
}

//// frexp
/* Behind infinity and what is no number, the exponent may be any. */
extern int __nondet_int(void);
double frexp(double number, int *exponent)
{
    union { double number; unsigned long long bits; } both;
    int shift = 0;
    if (number == 0) {
        *exponent = 0;
        return number;
    }
    if (!__builtin_isfinite(number)) {
        *exponent = __nondet_int();
        return number;
    }
    both.number = number;
    if (((both.bits >> 52) & 2047) == 0) {
        both.number = number * 0x1p52;
        shift = 52;
    }
    *exponent = (int)((both.bits >> 52) & 2047) - (1023 - 1) - shift;
    both.bits = (both.bits & ~((unsigned long long)2047 << 52)) | ((unsigned long long)(1023 - 1) << 52);
    return both.number;
}

//// __unreach_exponent
static int __unreach_exponent(double number)
{
    union { double number; unsigned long long bits; } both;
    both.number = number;
    if (((both.bits >> 52) & 2047) == 0) {
        both.number = number * 0x1p52;
        return (int)((both.bits >> 52) & 2047) - 1023 - 52;
    }
    return (int)((both.bits >> 52) & 2047) - 1023;
}

//// ilogb
int ilogb(double number)
{
    if (number == 0 || number != number) {
        __unreach_error();
        return -__INT_MAX__ - 1;
    }
    if (!__builtin_isfinite(number)) {
        __unreach_error();
        return __INT_MAX__;
    }
    return __unreach_exponent(number);
}

//// logb
double logb(double number)
{
    if (number == 0) {
        __unreach_errno();
        return -__builtin_huge_val();
    }
    if (!__builtin_isfinite(number)) {
        return number * number;
    }
    return __unreach_exponent(number);
}

//// scalbn
/* Every step but the last is exact, so that the result is rounded once. */
double scalbn(double number, int power)
{
    union { double number; unsigned long long bits; } factor;
    int steps;
    __unreach_errno();
    for (steps = 0; steps < 2 && power > 1023; steps++) {
        number = number * 0x1p1023;
        power -= 1023;
    }
    if (power > 1023) {
        power = 1023;
    }
    for (steps = 0; steps < 2 && power < 1 - 1023; steps++) {
        number = number * 0x1p-969;
        power += 1023 - 1 - 52 - 1;
    }
    if (power < 1 - 1023) {
        power = 1 - 1023;
    }
    factor.bits = (unsigned long long)(1023 + power) << 52;
    return number * factor.number;
}

//// scalbln
#include <math.h>
double scalbln(double number, long power)
{
    int bounded = power > 100000 ? 100000 : power < -100000 ? -100000 : (int)power;
    return scalbn(number, bounded);
}

//// ldexp
#include <math.h>
double ldexp(double number, int power)
{
    return scalbn(number, power);
}

//// nextafterf
float nextafterf(float from, float to)
{
    union { float number; unsigned int bits; } both;
    if (from != from || to != to) {
        return from + to;
    }
    if (from == to) {
        return to;
    }
    if (from == 0) {
        both.bits = 1;
        return to > 0 ? both.number : -both.number;
    }
    both.number = from;
    if ((from < to) == (from > 0)) {
        both.bits = both.bits + 1;
    } else {
        both.bits = both.bits - 1;
    }
    return both.number;
}

//// frexpf
/* Behind infinity and what is no number, the exponent may be any. */
extern int __nondet_int(void);
float frexpf(float number, int *exponent)
{
    union { float number; unsigned int bits; } both;
    int shift = 0;
    if (number == 0) {
        *exponent = 0;
        return number;
    }
    if (!__builtin_isfinite(number)) {
        *exponent = __nondet_int();
        return number;
    }
    both.number = number;
    if (((both.bits >> 23) & 255) == 0) {
        both.number = number * 0x1p23f;
        shift = 23;
    }
    *exponent = (int)((both.bits >> 23) & 255) - (127 - 1) - shift;
    both.bits = (both.bits & ~((unsigned int)255 << 23)) | ((unsigned int)(127 - 1) << 23);
    return both.number;
}

//// __unreach_exponentf
static int __unreach_exponentf(float number)
{
    union { float number; unsigned int bits; } both;
    both.number = number;
    if (((both.bits >> 23) & 255) == 0) {
        both.number = number * 0x1p23f;
        return (int)((both.bits >> 23) & 255) - 127 - 23;
    }
    return (int)((both.bits >> 23) & 255) - 127;
}

//// ilogbf
int ilogbf(float number)
{
    if (number == 0 || number != number) {
        __unreach_error();
        return -__INT_MAX__ - 1;
    }
    if (!__builtin_isfinite(number)) {
        __unreach_error();
        return __INT_MAX__;
    }
    return __unreach_exponentf(number);
}

//// logbf
float logbf(float number)
{
    if (number == 0) {
        __unreach_errno();
        return -__builtin_huge_valf();
    }
    if (!__builtin_isfinite(number)) {
        return number * number;
    }
    return __unreach_exponentf(number);
}

//// scalbnf
/* Every step but the last is exact, so that the result is rounded once. */
float scalbnf(float number, int power)
{
    union { float number; unsigned int bits; } factor;
    int steps;
    __unreach_errno();
    for (steps = 0; steps < 2 && power > 127; steps++) {
        number = number * 0x1p127f;
        power -= 127;
    }
    if (power > 127) {
        power = 127;
    }
    for (steps = 0; steps < 2 && power < 1 - 127; steps++) {
        number = number * 0x1p-102f;
        power += 127 - 1 - 23 - 1;
    }
    if (power < 1 - 127) {
        power = 1 - 127;
    }
    factor.bits = (unsigned int)(127 + power) << 23;
    return number * factor.number;
}

//// scalblnf
#include <math.h>
float scalblnf(float number, long power)
{
    int bounded = power > 100000 ? 100000 : power < -100000 ? -100000 : (int)power;
    return scalbnf(number, bounded);
}

//// ldexpf
#include <math.h>
float ldexpf(float number, int power)
{
    return scalbnf(number, power);
}
