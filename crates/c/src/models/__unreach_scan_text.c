extern char __nondet_char(void);
extern int __nondet_int(void);
void __unreach_scan_text(int given, char *to, int width, int ends)
{
    int length = width;
    int index;
    if (!given) {
        return;
    }
    if (ends) {
        length = __nondet_int();
        __builtin_assume(length > 0 && length < __INT_MAX__ && (width == 0 || length <= width));
    }
    for (index = 0; index < length; index++) {
        to[index] = __nondet_char();
    }
    if (ends) {
        to[length] = 0;
    }
}
