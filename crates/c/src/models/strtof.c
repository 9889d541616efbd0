extern float __unknown_float(void);
float strtof(const char *text, char **end)
{
    struct __unreach_decimal number;
    float power = 1;
    float value;
    int index;
    __unreach_decimal(&number, text, end);
    if (number.digits == 0) {
        return number.negative ? -(float)0 : (float)0;
    }
    if (!number.exact || number.digits > 16777216ULL || number.exponent < -10 || number.exponent > 10) {
        return __unknown_float();
    }
    for (index = 0; index < number.exponent || index < -number.exponent; index++) {
        power = power * 10;
    }
    value = number.exponent < 0 ? number.digits / power : number.digits * power;
    return number.negative ? -value : value;
}
