void *bsearch(const void *key, const void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size,
              int (*order)(const void *, const void *))
{
    __SIZE_TYPE__ low = 0;
    __SIZE_TYPE__ high = count;
    while (low < high) {
        __SIZE_TYPE__ middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int sign = order(key, element);
        if (sign == 0) {
            return (void *)element;
        }
        if (sign < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (void *)0;
}
