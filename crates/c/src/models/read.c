extern long __nondet_long(void);
extern unsigned char __nondet_uchar(void);
long read(int file, void *to, __SIZE_TYPE__ size)
{
    long read = __nondet_long();
    long index;
    unsigned char *bytes = to;
    __builtin_assume(read >= -1 && (read <= 0 || (__SIZE_TYPE__)read <= size));
    if (read == -1) {
        __unreach_error();
    }
    for (index = 0; index < read; index++) {
        bytes[index] = __nondet_uchar();
    }
    return read;
}
