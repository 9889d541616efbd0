extern int errno;
unsigned long strtoul(const char *text, char **end, int base)
{
    __SIZE_TYPE__ index = 0;
    __SIZE_TYPE__ first;
    unsigned long long value = 0;
    int negative = 0;
    int outside = 0;
    while (text[index] == ' ' || (text[index] >= 9 && text[index] <= 13)) {
        index++;
    }
    if (text[index] == '+' || text[index] == '-') {
        negative = text[index] == '-';
        index++;
    }
    if ((base == 0 || base == 16) && text[index] == '0' && (text[index + 1] == 'x' || text[index + 1] == 'X')
        && __unreach_digit(text[index + 2]) < 16) {
        base = 16;
        index += 2;
    }
    if (base == 0) {
        base = text[index] == '0' ? 8 : 10;
    }
    first = index;
    while (__unreach_digit(text[index]) < base) {
        unsigned digit = __unreach_digit(text[index]);
        if (value > ((__LONG_MAX__ * 2ULL + 1) + 0ULL - digit) / base) {
            outside = 1;
        } else {
            value = value * base + digit;
        }
        index++;
    }
    if (end) {
        *end = (char *)(index == first ? text : text + index);
    }
    if (outside) {
        errno = 34;
        return (__LONG_MAX__ * 2ULL + 1);
    }
    return negative ? -(unsigned long)value : (unsigned long)value;
}
