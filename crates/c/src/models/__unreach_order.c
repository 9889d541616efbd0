extern int __nondet_int(void);
static int __unreach_order(int left, int right)
{
    int any = __nondet_int();
    __builtin_assume(any > 0);
    return left == right ? 0 : left < right ? -any : any;
}
