int fegetround(void)
{
    return __unreach_rounding;
}
