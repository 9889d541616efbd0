extern int __nondet_int(void);
static int __unreach_nonzero(void)
{
    int any = __nondet_int();
    __builtin_assume(any != 0);
    return any;
}
