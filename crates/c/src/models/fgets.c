extern int __nondet_int(void);
extern char __nondet_char(void);
char *fgets(char *text, int size, void *stream)
{
    int length = __nondet_int();
    int index;
    __unreach_errno();
    if (size <= 0 || length < 0 || (length >= size && size > 1)) {
        return (char *)0;
    }
    for (index = 0; index < length && index < size - 1; index++) {
        text[index] = __nondet_char();
        if (text[index] == 10) {
            index++;
            break;
        }
    }
    text[index] = 0;
    return text;
}
