void qsort(void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size, int (*order)(const void *, const void *))
{
    char *bytes = base;
    __SIZE_TYPE__ last;
    for (last = 1; last < count; last++) {
        __SIZE_TYPE__ at = last;
        while (at > 0 && order(bytes + (at - 1) * size, bytes + at * size) > 0) {
            __SIZE_TYPE__ index;
            for (index = 0; index < size; index++) {
                char kept = bytes[(at - 1) * size + index];
                bytes[(at - 1) * size + index] = bytes[at * size + index];
                bytes[at * size + index] = kept;
            }
            at--;
        }
    }
}
