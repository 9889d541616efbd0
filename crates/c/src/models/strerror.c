extern __SIZE_TYPE__ __unknown_size(void);
char *strerror(int number)
{
    __SIZE_TYPE__ size = __unknown_size();
    char *text;
    __builtin_assume(size > 1 && size <= 1024);
    text = __unreach_permanent(size);
    text[size - 1] = 0;
    return text;
}
