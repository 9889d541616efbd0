void *memchr(const void *memory, int wanted, __SIZE_TYPE__ most)
{
    const unsigned char *bytes = memory;
    __SIZE_TYPE__ index = 0;
    while (index < most) {
        if (bytes[index] == (unsigned char)wanted) {
            return (void *)(bytes + index);
        }
        index++;
    }
    return (void *)0;
}
