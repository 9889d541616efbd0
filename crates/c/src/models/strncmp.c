int strncmp(const char *left, const char *right, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ index = 0;
    while (index < most && left[index] != 0 && left[index] == right[index]) {
        index++;
    }
    if (index == most) {
        return 0;
    }
    return __unreach_order((unsigned char)left[index], (unsigned char)right[index]);
}
