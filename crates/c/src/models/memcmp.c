int memcmp(const void *left, const void *right, __SIZE_TYPE__ most)
{
    const unsigned char *first = left;
    const unsigned char *second = right;
    __SIZE_TYPE__ index = 0;
    unsigned char last;
    while (index < most && first[index] == second[index]) {
        index++;
    }
    if (index == most) {
        return 0;
    }
    /* All bytes have to be there, also behind the first difference. */
    last = first[most - 1];
    last = second[most - 1];
    return __unreach_order(first[index], second[index]);
}
