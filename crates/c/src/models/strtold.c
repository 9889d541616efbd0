extern long double __unknown_long_double(void);
long double strtold(const char *text, char **end)
{
    struct __unreach_decimal number;
    long double power = 1;
    long double value;
    int index;
    __unreach_decimal(&number, text, end);
    if (number.digits == 0) {
        return number.negative ? -(long double)0 : (long double)0;
    }
    if (!number.exact || number.digits > 1000000000000000000ULL || number.exponent < -27 || number.exponent > 27) {
        return __unknown_long_double();
    }
    for (index = 0; index < number.exponent || index < -number.exponent; index++) {
        power = power * 10;
    }
    value = number.exponent < 0 ? number.digits / power : number.digits * power;
    return number.negative ? -value : value;
}
