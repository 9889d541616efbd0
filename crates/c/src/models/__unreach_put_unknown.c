extern char __unknown_character(void);
extern int __unknown_length(void);
int __unreach_put_unknown(char *text, __SIZE_TYPE__ size)
{
    int length = __unknown_length();
    int index;
    __builtin_assume(length >= 0);
    if (size == 0) {
        return length;
    }
    for (index = 0; index < length && (__SIZE_TYPE__)index + 1 < size; index++) {
        text[index] = __unknown_character();
    }
    text[index] = 0;
    return length;
}
