extern unsigned __nondet_unsigned(void);
unsigned int sleep(unsigned int seconds)
{
    unsigned left = __nondet_unsigned();
    __builtin_assume(left <= seconds);
    return left;
}
