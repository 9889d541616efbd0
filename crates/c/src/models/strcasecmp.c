int strcasecmp(const char *left, const char *right)
{
    __SIZE_TYPE__ index = 0;
    while (left[index] != 0 && tolower((unsigned char)left[index]) == tolower((unsigned char)right[index])) {
        index++;
    }
    return __unreach_order(tolower((unsigned char)left[index]), tolower((unsigned char)right[index]));
}
