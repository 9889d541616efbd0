FLOATING _Complex DIVIDE(FLOATING a, FLOATING b, FLOATING c, FLOATING d)
{
    FLOATING x, y;
    FLOATING _Complex result;
    QUOTIENT
    if (x != x && y != y) {
        if (c == 0 && d == 0 && (a == a || b == b)) {
            x = COPYSIGN(__builtin_inff(), c) * a;
            y = COPYSIGN(__builtin_inff(), c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = COPYSIGN(__builtin_isinf(a) ? 1 : 0, a);
            b = COPYSIGN(__builtin_isinf(b) ? 1 : 0, b);
            x = __builtin_inff() * (a * c + b * d);
            y = __builtin_inff() * (b * c - a * d);
        } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = COPYSIGN(__builtin_isinf(c) ? 1 : 0, c);
            d = COPYSIGN(__builtin_isinf(d) ? 1 : 0, d);
            x = 0 * (a * c + b * d);
            y = 0 * (b * c - a * d);
        }
    }
    __real__ result = x;
    __imag__ result = y;
    return result;
}
