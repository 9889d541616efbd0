unsigned short htons(unsigned short value)
{
    return __builtin_bswap16(value);
}
