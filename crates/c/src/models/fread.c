extern __SIZE_TYPE__ __nondet_size_t(void);
extern unsigned char __nondet_uchar(void);
__SIZE_TYPE__ fread(void *to, __SIZE_TYPE__ size, __SIZE_TYPE__ count, void *stream)
{
    __SIZE_TYPE__ read = __nondet_size_t();
    __SIZE_TYPE__ index;
    unsigned char *bytes = to;
    __unreach_errno();
    if (size == 0 || count == 0) {
        return 0;
    }
    __builtin_assume(read <= size * count);
    for (index = 0; index < read; index++) {
        bytes[index] = __nondet_uchar();
    }
    return read / size;
}
