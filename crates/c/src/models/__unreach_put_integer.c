void __unreach_put_integer(struct __unreach_text *out, unsigned long long value, int flags, int width, int precision)
{
    char digits[24];
    char sign = 0;
    int count = 0;
    int zeros;
    int index;
    int left = (flags & 1) || width < 0;
    int negative = (flags & 256) && (long long)value < 0;
    if (width < 0) {
        width = -width;
    }
    if (negative) {
        value = 0ULL - value;
        sign = '-';
    } else if ((flags & 256) && (flags & 2)) {
        sign = '+';
    } else if ((flags & 256) && (flags & 4)) {
        sign = ' ';
    }
    while (value != 0) {
        int digit;
        if (flags & 64) {
            digit = value % 16;
            value = value / 16;
        } else if (flags & 128) {
            digit = value % 8;
            value = value / 8;
        } else {
            digit = value % 10;
            value = value / 10;
        }
        digits[count] = digit < 10 ? '0' + digit : (flags & 32 ? 'A' : 'a') + digit - 10;
        count++;
    }
    zeros = precision < 0 ? (count == 0) : (precision > count ? precision - count : 0);
    if ((flags & 16) && !left && precision < 0 && width - count - (sign != 0) > zeros) {
        zeros = width - count - (sign != 0);
    }
    for (index = count + zeros + (sign != 0); !left && index < width; index++) {
        __unreach_put(out, ' ');
    }
    if (sign) {
        __unreach_put(out, sign);
    }
    for (index = 0; index < zeros; index++) {
        __unreach_put(out, '0');
    }
    for (index = count - 1; index >= 0; index--) {
        __unreach_put(out, digits[index]);
    }
    for (index = count + zeros + (sign != 0); left && index < width; index++) {
        __unreach_put(out, ' ');
    }
}
