unsigned int ntohl(unsigned int value)
{
    return __builtin_bswap32(value);
}
