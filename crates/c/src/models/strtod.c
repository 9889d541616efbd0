extern double __unknown_double(void);
double strtod(const char *text, char **end)
{
    struct __unreach_decimal number;
    double power = 1;
    double value;
    int index;
    __unreach_decimal(&number, text, end);
    if (number.digits == 0) {
        return number.negative ? -(double)0 : (double)0;
    }
    if (!number.exact || number.digits > 9007199254740992ULL || number.exponent < -22 || number.exponent > 22) {
        return __unknown_double();
    }
    for (index = 0; index < number.exponent || index < -number.exponent; index++) {
        power = power * 10;
    }
    value = number.exponent < 0 ? number.digits / power : number.digits * power;
    return number.negative ? -value : value;
}
