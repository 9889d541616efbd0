extern __SIZE_TYPE__ __nondet_size_t(void);
static char *__unreach_any_text(void)
{
    __SIZE_TYPE__ size = __nondet_size_t();
    char *text;
    __builtin_assume(size > 0 && size <= 131072);
    text = __unreach_permanent(size);
    text[size - 1] = 0;
    return text;
}
