long long atoll(const char *text)
{
    __SIZE_TYPE__ index = 0;
    long long value = 0;
    int negative = 0;
    while (text[index] == ' ' || (text[index] >= 9 && text[index] <= 13)) {
        index++;
    }
    if (text[index] == '+' || text[index] == '-') {
        negative = text[index] == '-';
        index++;
    }
    while (text[index] >= '0' && text[index] <= '9') {
        value = value * 10 - (text[index] - '0');
        index++;
    }
    return negative ? value : -value;
}
