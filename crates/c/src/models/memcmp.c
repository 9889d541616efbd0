int memcmp(const void *left, const void *right, __SIZE_TYPE__ most)
{
    const unsigned char *first = left;
    const unsigned char *second = right;
    __SIZE_TYPE__ index = 0;
    while (index < most && first[index] == second[index]) {
        index++;
    }
    if (index == most) {
        return 0;
    }
    return __unreach_order(first[index], second[index]);
}
