int strcmp(const char *left, const char *right)
{
    __SIZE_TYPE__ index = 0;
    while (left[index] != 0 && left[index] == right[index]) {
        index++;
    }
    return __unreach_order((unsigned char)left[index], (unsigned char)right[index]);
}
