struct __unreach_decimal {
    unsigned long long digits;
    int exponent;
    int negative;
    int exact;
};
extern void __unknown_argument(void);
static void __unreach_decimal(struct __unreach_decimal *number, const char *text, char **end)
{
    __SIZE_TYPE__ index = 0;
    int found = 0;
    int behind = 0;
    number->digits = 0;
    number->exponent = 0;
    number->negative = 0;
    number->exact = 1;
    while (text[index] == ' ' || (text[index] >= 9 && text[index] <= 13)) {
        index++;
    }
    if (text[index] == '+' || text[index] == '-') {
        number->negative = text[index] == '-';
        index++;
    }
    if (text[index] == 'i' || text[index] == 'I' || text[index] == 'n' || text[index] == 'N'
        || (text[index] == '0' && (text[index + 1] == 'x' || text[index + 1] == 'X'))) {
        __unknown_argument();
    }
    while ((text[index] >= '0' && text[index] <= '9') || (text[index] == '.' && !behind)) {
        if (text[index] == '.') {
            behind = 1;
        } else {
            found = 1;
            if (number->digits < 100000000000000000ULL) {
                number->digits = number->digits * 10 + (unsigned)(text[index] - '0');
                number->exponent -= behind;
            } else {
                number->exact = 0;
            }
        }
        index++;
    }
    if (!found) {
        number->negative = 0;
        if (end) {
            *end = (char *)text;
        }
        return;
    }
    if (text[index] == 'e' || text[index] == 'E') {
        __SIZE_TYPE__ digit = index + 1;
        int down = text[digit] == '-';
        int exponent = 0;
        if (text[digit] == '+' || text[digit] == '-') {
            digit++;
        }
        if (text[digit] >= '0' && text[digit] <= '9') {
            while (text[digit] >= '0' && text[digit] <= '9') {
                if (exponent < 100000) {
                    exponent = exponent * 10 + (text[digit] - '0');
                }
                digit++;
            }
            number->exponent += down ? -exponent : exponent;
            index = digit;
        }
    }
    if (end) {
        *end = (char *)text + index;
    }
}
