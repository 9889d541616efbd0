FLOATING _Complex MULTIPLY(FLOATING a, FLOATING b, FLOATING c, FLOATING d)
{
    FLOATING ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    FLOATING x = ac - bd, y = ad + bc;
    FLOATING _Complex result;
    if (x != x && y != y) {
        int infinite = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = COPYSIGN(__builtin_isinf(a) ? 1 : 0, a);
            b = COPYSIGN(__builtin_isinf(b) ? 1 : 0, b);
            c = c != c ? COPYSIGN(0, c) : c;
            d = d != d ? COPYSIGN(0, d) : d;
            infinite = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = COPYSIGN(__builtin_isinf(c) ? 1 : 0, c);
            d = COPYSIGN(__builtin_isinf(d) ? 1 : 0, d);
            a = a != a ? COPYSIGN(0, a) : a;
            b = b != b ? COPYSIGN(0, b) : b;
            infinite = 1;
        }
        if (!infinite
            && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            a = a != a ? COPYSIGN(0, a) : a;
            b = b != b ? COPYSIGN(0, b) : b;
            c = c != c ? COPYSIGN(0, c) : c;
            d = d != d ? COPYSIGN(0, d) : d;
            infinite = 1;
        }
        if (infinite) {
            x = __builtin_inff() * (a * c - b * d);
            y = __builtin_inff() * (a * d + b * c);
        }
    }
    __real__ result = x;
    __imag__ result = y;
    return result;
}
